import { z } from 'zod'
import { readAmount, toDecimal } from '#schema/rules/money'
import { ofEachField, type ProductField } from '#schema/rules/product-fields'
import { saleProblem } from '#schema/rules/sale'
import { group, productFields, salePrice, sku } from '#schema/rules/shapes/product'
import { typed, typedInstant, typedOrBlank } from '#schema/rules/shapes/typed'
import { readUnits } from '#schema/rules/stock'
import { FALLBACK_MESSAGE } from '../../data/errors.ts'
import type { ProductInput } from '../../generated/types.ts'
import { toLocal } from '../../ui/dates.ts'
import { correctionsOf } from './fact-rows.ts'
import type { EditedProductFragment } from './ProductEdit.gql.ts'

/** A product as it is in the form: everything is text, as people read it. */
export type ProductValues = Record<
  ProductField | 'sku' | 'salePrice' | 'saleFrom' | 'saleUntil' | 'group' | 'factCorrections' | 'pictures',
  string
>

export interface DescribedPicture {
  image: string
  alt: string
}

/** All pictures in the form: the first is the one in its own field, whatever the list says. */
export function picturesOf({ image, pictures }: Pick<ProductValues, 'image' | 'pictures'>): DescribedPicture[] {
  const [first, ...others] = JSON.parse(pictures) as DescribedPicture[]
  return [{ image, alt: first?.alt ?? '' }, ...others.filter(other => other.image !== image)]
}

/** "the swatch; /uploads/…webp" for people who compare two. */
export const picturesInWords = (pictures: string) =>
  (JSON.parse(pictures) as DescribedPicture[]).map(({ image, alt }) => alt || image).join('; ')

/** What a product costs when no sale is on. */
export const listPriceOf = ({ price, compareAtPrice }: { price: number; compareAtPrice: number | null }) =>
  compareAtPrice ?? price

/** What the editor was shown; the API compares it with what is stored. */
export interface Seen {
  version: number
  countInStock: number
  group: string
}

export function valuesOf(product: EditedProductFragment): ProductValues {
  return {
    ...ofEachField({
      text: field => product[field],
      cents: field => toDecimal(product[field]),
      units: field => String(product[field]),
      flag: field => flag.tell(product[field]),
      day: field => product[field] ?? '',
    }),
    sku: product.sku,
    price: toDecimal(listPriceOf(product)),
    salePrice: product.sale ? toDecimal(product.sale.price) : '',
    saleFrom: toLocal(product.sale?.from ?? null),
    saleUntil: toLocal(product.sale?.until ?? null),
    group: product.group?.name ?? '',
    pictures: JSON.stringify(product.pictures.map(({ image, alt }) => ({ image, alt }))),
    factCorrections: JSON.stringify(correctionsOf(product)),
  }
}

export const seenOf = ({ version, countInStock, group }: EditedProductFragment): Seen => ({
  version,
  countInStock,
  group: group?.name ?? '',
})

export const typedPrice = typed(readAmount, 'Please enter a price such as 12.50.').pipe(productFields.price)
export const typedUnits = typed(readUnits, 'Please enter a whole number, 0 or more.').pipe(productFields.countInStock)

/** What is chosen as one of two words. */
export const flag = {
  words: ['No', 'Yes'],
  tell: (isSo: boolean) => (isSo ? 'Yes' : 'No'),
  typed: z.string().transform(word => word === 'Yes'),
}

/** The shop's own rules for a product, over what is typed. */
export const productForm = z
  .object({
    ...ofEachField({
      text: field => productFields[field],
      cents: () => typedPrice,
      units: () => typedUnits,
      flag: () => flag.typed,
      // Empty takes the day away.
      day: field => productFields[field].unwrap().transform(day => day ?? ''),
    }),
    sku,
    group,
    salePrice: typedOrBlank(readAmount, 'Please enter a price such as 12.50, or nothing.').pipe(salePrice.nullable()),
    saleFrom: typedInstant,
    saleUntil: typedInstant,
    pictures: z.string(),
    factCorrections: z.string().transform(text => JSON.parse(text) as NonNullable<ProductInput['factCorrections']>),
  })
  .superRefine(({ price, salePrice, saleFrom, saleUntil }, context) => {
    if (salePrice === null) {
      if (saleFrom || saleUntil)
        context.addIssue({ code: 'custom', path: ['salePrice'], message: 'Please say what it costs on sale.' })
      return
    }
    const problem = saleProblem(price, { price: salePrice, from: saleFrom, until: saleUntil }, new Date())
    if (problem) context.addIssue({ code: 'custom', path: [SALE_FIELDS[problem.field]], message: problem.message })
  })

/** The form fields that show what the API refuses about a sale. */
const SALE_FIELDS = { price: 'salePrice', from: 'saleFrom', until: 'saleUntil' } as const

export const besideItsField = <Refusal extends { field?: readonly string[] | null }>(refusal: Refusal): Refusal => {
  const [thing, part] = refusal.field?.slice(-2) ?? []
  return thing === 'sale' && part ? { ...refusal, field: [SALE_FIELDS[part as keyof typeof SALE_FIELDS]] } : refusal
}

export type CheckedProduct = z.output<typeof productForm>

/** Dye lots are counted, and downloads added, in panels of their own. */
type SavedInput = Required<Omit<ProductInput, 'keptByLot' | 'lots' | 'isDownload' | 'isGiftCard'>>

export function inputOf({ salePrice, saleFrom, saleUntil, ...product }: CheckedProduct, seen: Seen): SavedInput {
  // Sent only when it changes; otherwise a group that was renamed meanwhile would be made again under its old name.
  const group = product.group === seen.group ? null : product.group
  return {
    ...product,
    sale: { price: salePrice, from: saleFrom?.toISOString() ?? null, until: saleUntil?.toISOString() ?? null },
    pictures: picturesOf(product),
    group,
    countInStockSeen: seen.countInStock,
    version: seen.version,
  }
}

/** The value of a text, or the first problem with it. */
export function readAs<T>(shape: z.ZodType<T>, text: string): { value: T } | { problem: string } {
  const { success, data, error } = shape.safeParse(text)
  return success ? { value: data } : { problem: error.issues[0]?.message ?? FALLBACK_MESSAGE }
}

export interface Difference {
  field: keyof ProductValues
  theirs: string
  mine: string
  /** `theirs` when I left the field as it was, otherwise `mine`. */
  suggestion: 'theirs' | 'mine'
}

/** The fields where a product that somebody else saved differs from the form. `opened` is what both started from. */
export function differences(opened: ProductValues, theirs: ProductValues, mine: ProductValues): Difference[] {
  return (Object.keys(mine) as (keyof ProductValues)[])
    .filter(field => theirs[field] !== mine[field])
    .map(field => ({
      field,
      theirs: theirs[field],
      mine: mine[field],
      suggestion: mine[field] === opened[field] ? 'theirs' : 'mine',
    }))
}
