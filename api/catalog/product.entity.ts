import { defineEntity, p, type OptionalProps } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import {
  factsOf,
  type Colour,
  type Correctable,
  type FactCorrections,
  type PictureColours,
  type ProductFacts,
} from '#schema/rules/facts/product-facts'
import { pricePer100m } from '#schema/rules/facts/amounts'
import { isOn, isOver, type Sale } from '#schema/rules/sale'
import { clock } from '../kernel/clock.ts'

/** A picture with what is known of it. */
export interface ProductPicture {
  image: string
  alt: string
  width: number | null
  height: number | null
}

/** A PDF that comes with a product; see download-files.ts. */
export interface ProductDownload {
  id: string
  title: string
  bytes: number
}

const ProductSchema = defineEntity({
  name: 'Product',
  tableName: 'products',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    /** Made by the database when none is given; unique among products that are not archived. */
    sku: p.text().defaultRaw(`'SKN-' || nextval('product_skus')`),
    name: p.text(),
    image: p.text(),
    /** As they were saved last; empty until then. What is shown is `pictures`: an import may have changed `image` since. */
    storedPictures: p
      .json<ProductPicture[]>()
      .name('pictures')
      .defaultRaw(`'[]'`)
      .onCreate(() => []),
    downloads: p
      .json<ProductDownload[]>()
      .defaultRaw(`'[]'`)
      .onCreate(() => []),
    description: p.text(),
    weight: p.text(),
    length: p.text(),
    gauge: p.text(),
    knittingNeedle: p.text(),
    crochetHook: p.text(),
    recommendedCare: p.text(),
    content: p.text(),
    category: p.text(),
    /** Both or neither; see product-group.entity.ts. */
    groupId: p.uuid().nullable(),
    groupPosition: p.integer().nullable(),
    /** What is charged now, in cents. */
    price: p.integer(),
    /** While a sale lowers the price: what it is without. Turned by turn-sales.ts. */
    regularPrice: p.integer().nullable(),
    /** Of the sale that is on or to come; without a price there is none. */
    salePrice: p.integer().nullable(),
    saleFrom: p.datetime().nullable(),
    saleUntil: p.datetime().nullable(),
    /** Changed only by stock.ts, never by a flush: an entity in memory may be stale. */
    countInStock: p.integer(),
    /** While it is sold by pre-order: the day that what is in stock is expected. */
    expectedOn: p.date().nullable(),
    /** Whether the stock is the sum of dye lots; see stock.ts. */
    keptByLot: p.boolean().default(false),
    /** Whether nothing of it is sent: who buys it gets its downloads alone. */
    isDownload: p.boolean().default(false),
    /** Then it is a download, too. */
    isGiftCard: p.boolean().default(false),
    /** Whether it is taxed less where the law says so; see `termsFor`. */
    reducedTax: p.boolean().default(false),
    numReviews: p.integer().default(0),
    ratingSum: p.integer().default(0),
    /** Bayesian average, computed by the database; orders 'top rated'. */
    score: p.double().persist(false).nullable(),
    /** What an administrator set by hand; indexing puts it in the place of what was read. */
    factCorrections: p
      .json<FactCorrections>()
      .defaultRaw(`'{}'`)
      .onCreate(() => ({})),
    /** Written by index-products.ts. Null until then. */
    storedFacts: p.json<ProductFacts>().name('facts').persist(false).nullable(),
    /** What is seen in the picture. Null until see-colours.ts looked at it. */
    pictureColours: p.json<PictureColours>().persist(false).nullable(),
    version: p.integer().default(1),
    createdAt: p.datetime().onCreate(() => clock.now()),
    /** Null while a draft. */
    publishedAt: p.datetime().nullable(),
    archivedAt: p.datetime().nullable(),
  },
})

/** What a sale is kept in. */
export const SALE = ['salePrice', 'saleFrom', 'saleUntil'] as const

export class Product extends ProductSchema.class {
  declare [OptionalProps]?:
    | 'rating'
    | 'isDraft'
    | 'isForSale'
    | 'isDiscontinued'
    | 'facts'
    | 'colours'
    | 'pictures'
    | 'listPrice'
    | 'compareAtPrice'
    | 'onSaleUntil'
    | 'sale'

  /** Plain average of the ratings, 0 when there is none. */
  get rating(): number {
    return this.numReviews === 0 ? 0 : this.ratingSum / this.numReviews
  }

  get isDraft(): boolean {
    return !this.publishedAt
  }

  get isForSale(): boolean {
    return Boolean(this.publishedAt) && !this.archivedAt
  }

  /** A deleted draft was never visible, so it makes no event. */
  get isDiscontinued(): boolean {
    return Boolean(this.publishedAt && this.archivedAt)
  }

  /** What it costs when no sale is on. */
  get listPrice(): number {
    return this.regularPrice ?? this.price
  }

  get compareAtPrice(): number | null {
    return this.regularPrice ?? null
  }

  get onSaleUntil(): Date | null {
    return this.compareAtPrice === null ? null : (this.saleUntil ?? null)
  }

  /** The sale that is on or to come. */
  get sale(): Sale | null {
    const { salePrice, saleFrom, saleUntil } = this
    return salePrice == null ? null : { price: salePrice, from: saleFrom ?? null, until: saleUntil ?? null }
  }

  /** Whether its sale should have begun or ended by now and has not. */
  isSaleDue(now: Date): boolean {
    const { sale } = this
    return sale !== null && (isOver(sale, now) || (isOn(sale, now) && this.compareAtPrice === null))
  }

  /** The first is always `image`. */
  get pictures(): ProductPicture[] {
    const { image } = this
    const [first, ...others] = this.storedPictures
    return [
      first?.image === image ? first : { image, alt: '', width: null, height: null },
      ...others.filter(other => other.image !== image),
    ]
  }

  get colours(): Colour[] {
    return this.facts.colours
  }

  get facts(): ProductFacts & { pricePer100m: number | null; corrected: Correctable[] } {
    const facts = this.storedFacts ?? factsOf(this, this.factCorrections, this.pictureColours)
    return {
      ...facts,
      pricePer100m: pricePer100m(this.price, facts),
      corrected: Object.keys(this.factCorrections) as Correctable[],
    }
  }
}
ProductSchema.setClass(Product)
