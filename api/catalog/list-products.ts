import type { EntityManager } from '@mikro-orm/postgresql'
import type { Load } from '../query/batch.ts'
import { connectionOf, type Connection, type Range } from '../query/connection.ts'
import { pageOf, paginate, type Condition, type Page } from '../query/paging.ts'
import type { AdminProductFilter, AdminProductSort, ProductFilter, ProductSort } from '../generated/types.ts'
import { Product } from './product.entity.ts'
import { likeWords, searchWords } from '../query/search-words.ts'
import { WELL_STOCKED } from '#schema/rules/stock'

const ON_SALE = 'published_at is not null and archived_at is null'

const orders = {
  newest: 'created_at desc, id desc',
  topRated: 'score desc, id desc',
} as const

export interface ListOptions {
  keyword?: string | null
  page: number
  pageSize: number
  order: keyof typeof orders
}

/** One page of the catalogue. A page number out of range is moved to the nearest page. */
export async function listProducts(em: EntityManager, options: ListOptions): Promise<Page<Product>> {
  const words = options.keyword?.trim() ? searchWords(options.keyword) : []
  if (words === null) return { items: [], page: 1, pages: 1, total: 0 }

  const conditions = [ON_SALE, ...words.map(() => 'search_text like ?')]
  const where = conditions.join(' and ')
  const patterns = words.map(word => `%${word}%`)

  const [{ total }] = (await em.execute(`select count(*)::int as total from products where ${where}`, patterns)) as [{ total: number }]
  const { page, pages, offset } = paginate(options.page, options.pageSize, total)

  // The keyword in the name ranks before the keyword somewhere in the text.
  const byName = words.length > 0 && options.order === 'newest'
  const rank = byName ? `${words.map(() => '(lower(name) like ?)::int').join(' + ')} desc, score desc, ` : ''
  const rows = await em.execute(
    `select * from products where ${where} order by ${rank}${orders[options.order]} limit ? offset ?`,
    [...patterns, ...(byName ? patterns : []), options.pageSize, offset],
  )
  return { items: rows.map(row => em.map(Product, row)), page, pages, total }
}

/** The products on sale with the best plain rating; see `products_best_rated`. */
export async function listBestRated(em: EntityManager, count: number): Promise<Product[]> {
  const rows = await em.execute(`select * from products where ${ON_SALE} order by ${sortColumns.RATING} desc, num_reviews desc, id desc limit ?`, [count])
  return rows.map(row => em.map(Product, row))
}

const connectionColumns = {
  CREATED: ['created_at', 'timestamptz'],
  NAME: ['lower(name)', 'text'],
  PRICE: ['price', 'int'],
  RATING: ['score', 'float8'],
} as const

/** A part of the catalogue. */
export function connectProducts(em: EntityManager, filter: ProductFilter & { keyword?: string | null | undefined }, sort: ProductSort | null, range: Range): Promise<Connection<Product>> {
  return connectionOf(em, Product, {
    table: 'products',
    where: saleConditions(filter),
    by: connectionColumns[sort?.field ?? 'CREATED'],
    direction: sort?.direction === 'ASC' ? 'asc' : 'desc',
  }, range)
}

function saleConditions({ keyword, category, priceFrom, priceTo, inStock }: ProductFilter & { keyword?: string | null | undefined }): Condition[] | null {
  const words = likeWords(keyword)
  if (words === null || category?.includes('\0')) return null
  return [
    [ON_SALE],
    ...words.map((word): Condition => ['search_text like ?', word]),
    ...(category != null ? [['category = ?', category] as Condition] : []),
    ...(priceFrom != null ? [['price >= ?', priceFrom] as Condition] : []),
    ...(priceTo != null ? [['price <= ?', priceTo] as Condition] : []),
    ...(inStock != null ? [[`count_in_stock ${inStock ? '>' : '='} 0`] as Condition] : []),
  ]
}

/** The products with these ids, whether for sale or not; null where there is none. */
export const productsById: Load<string, Product | null> = async (em, ids) => {
  const found = new Map((await em.find(Product, { id: { $in: [...new Set(ids)] } })).map(product => [product.id, product]))
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
export function listForAdmin(em: EntityManager, filter: AdminProductFilter, sort: AdminProductSort | null, page: number, pageSize: number): Promise<Page<Product>> {
  const direction = sort?.direction === 'ASC' ? 'asc' : 'desc'
  return pageOf(em, Product, {
    from: 'products',
    where: adminConditions(filter),
    order: `${sortColumns[sort?.field ?? 'CREATED']} ${direction}, id ${direction}`,
    page,
    pageSize,
  })
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
  const rows = await em.execute<{ category: string }[]>(`select distinct category from products where archived_at is null and category <> '' order by category`)
  return rows.map(({ category }) => category)
}
