import type { EntityManager } from '@mikro-orm/postgresql'
import { Product } from './product.entity.ts'
import { searchWords } from './search.ts'

const ON_SALE = 'published_at is not null and archived_at is null'
const NOT_ARCHIVED = 'archived_at is null'

const orders = {
  newest: 'created_at desc, id desc',
  topRated: 'score desc, id desc',
} as const

export interface ListOptions {
  keyword?: string | null
  page: number
  pageSize: number
  order: keyof typeof orders
  /** Drafts too, for administrators. */
  drafts?: boolean
}

export interface Page<T> {
  items: T[]
  page: number
  pages: number
  total: number
}

/** One page of the catalogue. A page number out of range is moved to the nearest page. */
export async function listProducts(em: EntityManager, options: ListOptions): Promise<Page<Product>> {
  const words = options.keyword?.trim() ? searchWords(options.keyword) : []
  if (words === null) return { items: [], page: 1, pages: 1, total: 0 }

  const conditions = [options.drafts ? NOT_ARCHIVED : ON_SALE, ...words.map(() => 'search_text like ?')]
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

export function paginate(page: number, pageSize: number, total: number) {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const nearest = Math.min(Math.max(1, Math.trunc(page)), pages)
  return { page: nearest, pages, offset: (nearest - 1) * pageSize }
}
