import type { EntityManager } from '@mikro-orm/postgresql'
import { catalogue } from '../db/seed/catalogue.ts'
import { FacetIndex } from '../catalog/search/facet-index.ts'
import { productsAt } from '../catalog/list-products.ts'
import { bestMatches, search } from '../catalog/search/find-products.ts'
import type { GoldenQuery } from './golden-queries.ts'

export interface Quality {
  /** The share of what should be found that is among the first twelve. */
  recall: number
  /** Mean reciprocal rank: 1 when what was looked for always comes first. */
  mrr: number
  /** The queries that fell short, the worst first. */
  missed: { query: string; recall: number; rank: number }[]
}

/** Returns the ids of the first twelve. */
export type Engine = (em: EntityManager, query: string, index: FacetIndex) => Promise<string[]>

const ON_SALE = 'published_at is not null and archived_at is null'

const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)

export const engines: Record<'the shop' | 'plain tsvector' | 'ILIKE', Engine> = {
  async 'the shop'(em, query, index) {
    await index.hear(em)
    const found = await search(em, index, query)
    return found ? ids(await productsAt(em, (await bestMatches(em, index, found, {})).slice(0, 12))) : []
  },
  async 'plain tsvector'(em, query) {
    return ids(
      await em.execute(
        `select id from products, to_tsvector('english', search_text) words, plainto_tsquery('english', ?) q
       where ${ON_SALE} and words @@ q order by ts_rank(words, q) desc, id limit 12`,
        [query],
      ),
    )
  },
  async ILIKE(em, query) {
    const words = query
      .toLowerCase()
      .split(/\s+/)
      .map(word => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)
    return ids(
      await em.execute(
        `select id from products where ${ON_SALE} ${words.map(() => 'and search_text like ?').join(' ')} order by score desc, id limit 12`,
        words,
      ),
    )
  },
}

/** How well an engine answers in a shop with the sample catalogue alone. */
export async function qualityOf(em: EntityManager, engine: Engine, queries: readonly GoldenQuery[]): Promise<Quality> {
  const products = await em.execute<{ id: string; sku: string }[]>('select id, sku from products')
  const bySlug = new Map(products.map(({ id, sku }) => [sku.toLowerCase(), id]))
  const index = new FacetIndex()
  const results: Quality['missed'] = []
  for (const { query, finds } of queries) {
    const wanted = new Set(catalogue.filter(finds).map(({ slug }) => bySlug.get(slug)))
    if (wanted.size === 0)
      throw new Error(`Nothing in the sample catalogue should be found by ${JSON.stringify(query)}.`)
    const found = (await engine(em, query, index)).slice(0, 12)
    const right = found.filter(id => wanted.has(id)).length
    const first = found.findIndex(id => wanted.has(id))
    results.push({ query, recall: right / Math.min(wanted.size, 12), rank: first + 1 })
  }
  const mean = (value: (result: (typeof results)[number]) => number) =>
    results.reduce((sum, result) => sum + value(result), 0) / results.length
  return {
    recall: mean(({ recall }) => recall),
    mrr: mean(({ rank }) => (rank === 0 ? 0 : 1 / rank)),
    missed: results.filter(({ recall, rank }) => recall < 1 || rank !== 1).toSorted((a, b) => a.recall - b.recall),
  }
}
