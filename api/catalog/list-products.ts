import type { EntityManager } from '@mikro-orm/postgresql'
import { select, type Load } from '../query/batch.ts'
import { connectionOf, type Connection, type Range } from '../query/connection.ts'
import { pageOf, paginate, type Condition, type Page } from '../query/paging.ts'
import type { AdminProductFilter, AdminProductSort, ProductFilter, ProductSort } from '../generated/types.ts'
import { Product } from './product.entity.ts'
import { likeWords } from '../query/search-words.ts'
import { bestMatches, MOST_RANKED, search } from './search/find-products.ts'
import { WELL_STOCKED } from '#schema/rules/stock'

const ON_SALE = 'published_at is not null and archived_at is null'

const orders = {
  newest: 'created_at desc, id desc',
  topRated: 'score desc, id desc',
} as const

export interface ListOptions {
  keyword?: string | null
  asTyped?: boolean | null
  page: number
  pageSize: number
  order: keyof typeof orders
}

/** A page of a list that may be too long to be counted to its end. */
export interface ProductList extends Page<Product> {
  totalIsExact: boolean
  correction: { used: string; typed: string } | null
  didYouMean: string | null
}

/** Counting ends here, so that no list costs more than this, however long it is. */
const MOST_COUNTED = 10_000

const NOTHING: ProductList = {
  items: [],
  page: 1,
  pages: 1,
  total: 0,
  totalIsExact: true,
  correction: null,
  didYouMean: null,
}

/** One page of the catalogue. A page number out of range is moved to the nearest page. */
export async function listProducts(
  em: EntityManager,
  { keyword, asTyped, page: asked, pageSize, order }: ListOptions,
): Promise<ProductList> {
  const typed = keyword?.trim()
  const found = typed ? await search(em, typed, { asTyped: asTyped ?? false }) : null
  if (typed && !found) return NOTHING
  const conditions: Condition[] = [[ON_SALE], ...(found ? [found.condition] : [])]
  const counted = await countUpTo(em, conditions)
  const total = Math.min(counted, MOST_COUNTED)
  const ranked = found && order === 'newest' ? found : null
  const { page, offset } = paginate(asked, pageSize, Math.min(total, ranked ? MOST_RANKED : MOST_COUNTED))
  const pages = paginate(1, pageSize, Math.min(total, ranked ? MOST_RANKED : MOST_COUNTED)).pages
  const ids =
    total === 0
      ? []
      : ranked
        ? await bestMatches(em, ranked, [[ON_SALE]], pageSize, offset)
        : await idsInOrder(em, conditions, orders[order], pageSize, offset)
  const corrected = total > 0 && found?.corrected ? { used: found.corrected, typed: typed! } : null
  return {
    items: (await productsById(em, ids)).filter(product => product !== null),
    page,
    pages,
    total,
    totalIsExact: counted <= MOST_COUNTED,
    correction: corrected,
    didYouMean: typed && asTyped ? await meant(em, typed) : null,
  }
}

/** What would be searched for without `asTyped`, if that finds something. */
async function meant(em: EntityManager, typed: string): Promise<string | null> {
  const mended = await search(em, typed)
  return mended?.corrected && (await countUpTo(em, [[ON_SALE], mended.condition], 1)) > 0 ? mended.corrected : null
}

async function countUpTo(em: EntityManager, conditions: readonly Condition[], most = MOST_COUNTED): Promise<number> {
  const [{ total } = { total: 0 }] = await select<{ total: number }>(
    em,
    `select count(*)::int as total from (select 1 from products where ${conditions.map(([sql]) => sql).join(' and ')} limit ${most + 1}) counted`,
    conditions.flatMap(([, ...values]) => values),
  )
  return total
}

async function idsInOrder(
  em: EntityManager,
  conditions: readonly Condition[],
  order: string,
  limit: number,
  offset: number,
): Promise<string[]> {
  const rows = await select<{ id: string }>(
    em,
    `select id from products where ${conditions.map(([sql]) => sql).join(' and ')} order by ${order} limit ? offset ?`,
    [...conditions.flatMap(([, ...values]) => values), limit, offset],
  )
  return rows.map(({ id }) => id)
}

/** The products on sale with the best plain rating; see `products_best_rated`. */
export async function listBestRated(em: EntityManager, count: number): Promise<Product[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select id from products where ${ON_SALE} order by ${sortColumns.RATING} desc, num_reviews desc, id desc limit ?`,
    [count],
  )
  return (
    await productsById(
      em,
      rows.map(({ id }) => id),
    )
  ).filter(product => product !== null)
}

const connectionColumns = {
  CREATED: ['created_at', 'timestamptz'],
  NAME: ['lower(name)', 'text'],
  PRICE: ['price', 'int'],
  RATING: ['score', 'float8'],
} as const

/** A part of the catalogue. */
export async function connectProducts(
  em: EntityManager,
  filter: ProductFilter & { keyword?: string | null | undefined },
  sort: ProductSort | null,
  range: Range,
): Promise<Connection<Product>> {
  return connectionOf(
    em,
    Product,
    {
      table: 'products',
      where: await saleConditions(em, filter),
      by: connectionColumns[sort?.field ?? 'CREATED'],
      direction: sort?.direction === 'ASC' ? 'asc' : 'desc',
    },
    range,
  )
}

async function saleConditions(
  em: EntityManager,
  { keyword, category, priceFrom, priceTo, inStock }: ProductFilter & { keyword?: string | null | undefined },
): Promise<Condition[] | null> {
  const found = keyword?.trim() ? await search(em, keyword.trim()) : null
  if ((keyword?.trim() && !found) || category?.includes('\0')) return null
  return [
    [ON_SALE],
    ...(found ? [found.condition] : []),
    ...(category != null ? [['category = ?', category] as Condition] : []),
    ...(priceFrom != null ? [['price >= ?', priceFrom] as Condition] : []),
    ...(priceTo != null ? [['price <= ?', priceTo] as Condition] : []),
    ...(inStock != null ? [[`count_in_stock ${inStock ? '>' : '='} 0`] as Condition] : []),
  ]
}

/** The products with these ids, whether for sale or not; null where there is none. */
export const productsById: Load<string, Product | null> = async (em, ids) => {
  const found = new Map(
    (await em.find(Product, { id: { $in: [...new Set(ids)] } })).map(product => [product.id, product]),
  )
  return ids.map(id => found.get(id) ?? null)
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
    where: adminConditions(filter),
    order: `${sortColumns[sort?.field ?? 'CREATED']} ${direction}, id ${direction}`,
    page,
    pageSize,
  })
  return { ...NOTHING, ...listed }
}

/** The filter as SQL. Null when nothing can match. */
export function adminConditions({ search, stock, category, draft }: AdminProductFilter): Condition[] | null {
  const words = likeWords(search)
  if (words === null || category?.includes('\0')) return null
  return [
    ['archived_at is null'],
    ...words.map((word): Condition => ['(search_text like ? or lower(sku) like ?)', word, word]),
    ...(stock ? [[stockRanges[stock]] as Condition] : []),
    ...(category != null ? [['category = ?', category] as Condition] : []),
    ...(draft != null ? [[`published_at is ${draft ? '' : 'not '}null`] as Condition] : []),
  ]
}

/** The categories of everything that is not archived, each once. */
export async function listCategories(em: EntityManager): Promise<string[]> {
  const rows = await em.execute<{ category: string }[]>(
    `select distinct category from products where archived_at is null and category <> '' order by category`,
  )
  return rows.map(({ category }) => category)
}
