import type { EntityManager } from '@mikro-orm/postgresql'
import { annotated } from '../annotation/find-annotated.ts'
import { batched, select, type Load } from '../query/batch.ts'
import { pageOf, paginate, type Condition, type Page } from '../query/paging.ts'
import type { AdminProductFilter, AdminProductSort, ProductFilter, ProductSort } from '../generated/types.ts'
import { isId } from '../kernel/validation.ts'
import type { ColourFamily } from '#schema/rules/facts/shelf-names'
import { placeInRainbow } from './picture-colours.ts'
import { Product } from './product.entity.ts'
import { MOST_COUNTED } from '../query/page-sizes.ts'
import { likeWords } from '../query/search-words.ts'
import { listed, read } from '../query/read.ts'
import { knownProducts } from './known-products.ts'
import { SORTS, type Filter } from './search/facet-row.ts'
import type { FacetIndex, Holding } from './search/facet-index.ts'
import type { Part } from './search/order.ts'
import { placesIn, type Wanted } from './search/term-finder.ts'
import { bestMatches, MOST_RANKED, search } from './search/find-products.ts'
import { readFilter } from './search/product-filter.ts'
import { WELL_STOCKED } from '#schema/rules/stock'
import { nth } from '#schema/rules/present'

export const ON_SALE = 'published_at is not null and archived_at is null'

export interface ListOptions {
  keyword?: string | null
  asTyped?: boolean | null
  filter?: ProductFilter | null
  sort?: ProductSort | null
  page: number
  pageSize: number
}

/** A page of a list that may be too long to be counted to its end. */
export interface ProductList extends Omit<Page<Product>, 'items'> {
  /** Read when they are asked for: counts and facets need none of them. */
  items(): Promise<Product[]>
  totalIsExact: boolean
  hasAllWords: boolean
  correction: { used: string; typed: string } | null
  didYouMean: string | null
  /** What its facets are counted in. Null where there are none. */
  within: { wanted: Wanted | null; filter: Filter } | null
}

const NOTHING: ProductList = {
  items: async () => [],
  page: 1,
  pages: 1,
  total: 0,
  totalIsExact: true,
  hasAllWords: true,
  correction: null,
  didYouMean: null,
  within: null,
}

/** One page of the catalogue. A page number out of range is moved to the nearest page. */
export async function listProducts(
  em: EntityManager,
  index: FacetIndex,
  { keyword, asTyped, filter: given, sort, page: asked, pageSize }: ListOptions,
): Promise<ProductList> {
  const typed = keyword?.trim()
  const filter = readFilter(given)
  await index.hear(em)
  const found = typed ? await search(em, index, typed, { asTyped: asTyped ?? false }) : null
  if ((typed && !found) || !filter) return NOTHING
  const wanted = found?.wanted ?? null
  const isRanked = found !== null && (!sort || sort.field === 'RELEVANCE')
  const holding = await index.holding(em, wanted, filter)
  const total = Math.min(holding.total, MOST_COUNTED)
  const { page, pages, offset } = paginate(asked, pageSize, Math.min(total, isRanked ? MOST_RANKED : MOST_COUNTED))
  const part = { descending: directionOf(sort) === 'desc', offset, limit: pageSize }
  const field = sort?.field ?? 'CREATED'
  const items = async () => {
    if (isRanked) return productsAt(em, (await bestMatches(em, index, found, filter)).slice(offset, offset + pageSize))
    if (field === 'UPDATED') return productsAt(em, await placesInOrder(em, holding, orderOf(sort), part))
    if (field === 'NAME') await index.sortNames(em)
    return productsAt(em, holding.part(field === 'RELEVANCE' ? 'CREATED' : field, part))
  }
  const corrected = total > 0 && typed && found?.corrected ? { used: found.corrected, typed } : null
  return {
    items,
    page,
    pages,
    total,
    totalIsExact: holding.total <= MOST_COUNTED,
    hasAllWords: total === 0 || wanted === null || wanted.most === wanted.terms.length,
    correction: corrected,
    didYouMean: typed && asTyped ? await meant(em, index, typed) : null,
    within: { wanted, filter },
  }
}

/** What would be searched for without `asTyped`, if that finds something. */
async function meant(em: EntityManager, index: FacetIndex, typed: string): Promise<string | null> {
  const mended = await search(em, index, typed)
  return mended?.corrected && (await index.holding(em, mended.wanted, {})).total > 0 ? mended.corrected : null
}

/** So many products are named by their places: PostgreSQL takes them for more, and would go through the whole order. */
const FEW = 1_000

export const narrowed = ({ total, part }: Holding, conditions: readonly Condition[]): readonly Condition[] =>
  total <= FEW
    ? [['place = any (?::int[])', listed(part('CREATED', { descending: true, offset: 0, limit: FEW }))]]
    : conditions

/** How much farther each look into an order goes than the one before. */
const FARTHER = 8

/**
 * Of an order that is the database's. What a list holds may come late in it, behind much that the list does not hold; that is
 * decided by their places alone, which an index has, without reading the products.
 */
async function placesInOrder(
  em: EntityManager,
  holding: Holding,
  order: string,
  { offset, limit }: Part,
): Promise<number[]> {
  if (holding.total <= FEW) {
    const few = holding.part('CREATED', { descending: true, offset: 0, limit: FEW })
    const [{ places }] = (await read(
      em,
      `select string_agg(int4send(place), ''::bytea order by ${order}) as places from products where place = any (?::int[])`,
      [listed(few)],
    )) as [{ places: Buffer | null }]
    return [...placesIn(places).subarray(offset, offset + limit)]
  }
  for (let most = offset + FARTHER * limit; ; most *= FARTHER) {
    const [{ places }] = (await read(
      em,
      `select string_agg(int4send(place), ''::bytea) as places
       from (select place from products where archived_at is null order by ${order} limit ?) ordered`,
      [most],
    )) as [{ places: Buffer | null }]
    const looked = placesIn(places)
    const held = holding.among(looked)
    if (held.length >= offset + limit || looked.length < most) return [...held.subarray(offset, offset + limit)]
  }
}

/** By database: where those are that were found last. */
const bestRated = new WeakMap<object, readonly number[]>()

/** The products on sale with the best plain rating; see `products_best_rated`. */
export async function listBestRated(em: EntityManager, count: number): Promise<Product[]> {
  const order = `${sortColumns.RATING} desc, num_reviews desc, id desc`
  const found = await knownProducts(
    em,
    `${ON_SALE} order by ${order} limit ${count}`,
    [],
    bestRated.get(em.config) ?? [],
  )
  bestRated.set(
    em.config,
    found.map(({ place }) => place),
  )
  return found.map(({ product }) => product)
}

/** In the order of a rainbow; those without a hue come behind it. */
const WALL: readonly ColourFamily[] = [
  ...(['RED', 'ORANGE', 'YELLOW', 'GREEN', 'TEAL', 'BLUE', 'PURPLE', 'PINK'] as const),
  ...(['BROWN', 'UNDYED', 'WHITE', 'GREY', 'BLACK'] as const),
]
const WALL_OF_EACH = 6

/** Some yarns of each family of colours, the best rated; see `products_by_colour`. */
export async function listByColour(em: EntityManager): Promise<Product[]> {
  const rows = await select<{ id: string }>(
    em,
    `select best.id from jsonb_array_elements_text(?::jsonb) as f(family) cross join lateral (
       select id from products
       where colour_family = f.family and kind = 'YARN' and ${ON_SALE} and picture_colours is not null
       order by score desc, id desc limit ${WALL_OF_EACH}) best`,
    [JSON.stringify(WALL)],
  )
  const ids = rows.map(({ id }) => id)
  const place = ({ facts }: Product) => WALL.indexOf(nth(facts.colourFamilies, 0))
  return (await productsById(em, ids))
    .filter(product => product !== null)
    .filter(({ colours }) => colours.length > 0)
    .toSorted((one, other) => place(one) - place(other) || byHue(one, other, place(one) < WALL.indexOf('BROWN')))
}

function byHue(one: Product, other: Product, hasHue: boolean): number {
  const [a, b] = [placeInRainbow(nth(one.colours, 0).hex), placeInRainbow(nth(other.colours, 0).hex)]
  return hasHue ? a.hue - b.hue : b.lightness - a.lightness
}

export const directionOf = (sort: ProductSort | null | undefined) =>
  sort?.direction === 'ASC' && sort.field !== 'RELEVANCE' ? 'asc' : 'desc'

function orderOf(sort: ProductSort | null | undefined): string {
  const direction = directionOf(sort)
  return `${SORTS[sort?.field ?? 'CREATED'](direction)[0]} ${direction}, id ${direction}`
}

/**
 * The product with this id or this SKU, whether for sale or not; of products with one SKU, the one that is not archived. To be
 * read, not to be changed.
 */
export async function findProduct(
  em: EntityManager,
  { id, sku }: { id?: string | null | undefined; sku?: string | null | undefined },
): Promise<Product | null> {
  if (id != null) return isId(id) ? batched(em, productsById, id) : null
  if (sku == null || sku.includes('\0')) return null
  const [found] = await knownProducts(em, 'sku = ? and archived_at is null', [sku.trim().toUpperCase()], [])
  return found?.product ?? null
}

/** The products with these ids, whether for sale or not; null where there is none. To be read, not to be changed. */
export const productsById: Load<string, Product | null> = async (em, ids) => {
  const asked = [...new Set(ids.map(id => id.toLowerCase()))]
  // Planned once, for it is not seen how many they are.
  const products = await knownProducts(em, 'id = any ((select ?::uuid[])::uuid[])', [listed(asked)], asked)
  const found = new Map(products.map(({ product }) => [product.id, product]))
  return ids.map(id => found.get(id.toLowerCase()) ?? null)
}

/** The products with these ids, in this order, without those that are not there. */
export async function productsInOrder(em: EntityManager, ids: readonly string[]): Promise<Product[]> {
  return (await Promise.all(ids.map(id => batched(em, productsById, id)))).filter(product => product !== null)
}

/** The products on sale at these places, in this order. To be read, not to be changed. */
export async function productsAt(em: EntityManager, places: readonly number[]): Promise<Product[]> {
  if (places.length === 0) return []
  const products = await knownProducts(em, `place = any (?::int[]) and ${ON_SALE}`, [listed(places)], places)
  const found = new Map(products.map(({ place, product }) => [place, product]))
  return places.flatMap(place => found.get(place) ?? [])
}

const sortColumns = {
  NAME: 'lower(name)',
  PRICE: 'price',
  STOCK: 'count_in_stock',
  CATEGORY: 'lower(category)',
  CREATED: 'created_at',
  RATING: '(rating_sum::float8 / greatest(num_reviews, 1))',
} as const

const stockRanges = {
  IN_STOCK: `count_in_stock >= ${WELL_STOCKED}`,
  LOW: `count_in_stock between 1 and ${WELL_STOCKED - 1}`,
  OUT: 'count_in_stock = 0',
  EXPECTED: 'expected_on is not null',
} as const

/** One page of everything that is not archived, drafts included. */
export async function listForAdmin(
  em: EntityManager,
  filter: AdminProductFilter,
  sort: AdminProductSort | null,
  page: number,
  pageSize: number,
): Promise<ProductList> {
  const direction = sort?.direction === 'ASC' ? 'asc' : 'desc'
  const listed = await pageOf(em, Product, {
    from: 'products',
    where: adminConditions({ ...filter, search: null }),
    search: searched(filter.search),
    order: `${sortColumns[sort?.field ?? 'CREATED']} ${direction}, id ${direction}`,
    page,
    pageSize,
  })
  return { ...NOTHING, ...listed, items: async () => listed.items }
}

/** The filter as SQL. Null when nothing can match. */
export function adminConditions(filter: AdminProductFilter): Condition[] | null {
  const { stock, category, draft } = filter
  const words = searched(filter.search)
  if (words === null || category?.includes('\0')) return null
  return [
    ['archived_at is null'],
    ...words,
    ...(stock ? [[stockRanges[stock]] as Condition] : []),
    ...(category != null ? [['category = ?', category] as Condition] : []),
    ...(draft != null ? [[`published_at is ${draft ? '' : 'not '}null`] as Condition] : []),
    ...annotated('PRODUCT', filter),
  ]
}

const searched = (search: string | null | undefined) =>
  likeWords(search)?.map((word): Condition => ['(search_text like ? or lower(sku) like ?)', word, word]) ?? null

const MOST_CATEGORIES = 1_000

/** The categories of everything on sale, or also of drafts, each once. */
export async function listCategories(em: EntityManager, { drafts = false } = {}): Promise<string[]> {
  const listed = drafts ? 'archived_at is null' : ON_SALE
  // Jumps from one category to the next by the index, so that its cost follows the number of categories, not of products.
  const rows = await em.execute<{ category: string }[]>(
    `with recursive listed(category) as (
       (select category from products where ${listed} and category > '' order by category limit 1)
       union all
       select (select p.category from products p where ${listed} and p.category > l.category order by p.category limit 1)
       from listed l where l.category is not null
     )
     select category from listed where category is not null limit ${MOST_CATEGORIES}`,
  )
  return rows.map(({ category }) => category)
}
