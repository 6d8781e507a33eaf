import type { EntityManager } from '@mikro-orm/postgresql'
import { ON_SALE } from '../catalog/list-products.ts'
import { select, type Load } from '../query/batch.ts'

/** A collection with what is known of its products on sale. */
export interface CollectionShown {
  id: string
  slug: string
  name: string
  description: string
  isPublished: boolean
  version: number
  total: number
  pictures: string[]
}

const PICTURES = 4

const PUBLISHED = 'c.is_published'

/** Those shoppers see. */
export const listCollections = async (em: EntityManager): Promise<CollectionShown[]> =>
  (await readCollections(em, PUBLISHED)).filter(({ total }) => total > 0)

export const listAllCollections = (em: EntityManager): Promise<CollectionShown[]> => readCollections(em, 'true')

export async function findPublished(em: EntityManager, slug: string): Promise<CollectionShown | null> {
  if (slug.includes('\0')) return null
  const [found] = await readCollections(em, `${PUBLISHED} and c.slug = ?`, [slug])
  return found ?? null
}

export async function readCollection(em: EntityManager, id: string): Promise<CollectionShown | null> {
  const [found] = await readCollections(em, 'c.id = ?', [id])
  return found ?? null
}

async function readCollections(
  em: EntityManager,
  where: string,
  parameters: string[] = [],
): Promise<CollectionShown[]> {
  const rows = await select<CollectionShown>(
    em,
    `select c.id, c.slug, c.name, c.description, c.is_published as "isPublished", c.version, o.total, o.pictures
     from collections c cross join lateral (
       select count(*)::int as total, coalesce(jsonb_agg(p.image order by m.place), '[]') as pictures
       from collection_products m join products p on p.id = m.product_id where m.collection_id = c.id and ${ON_SALE}) o
     where ${where} order by c.position, c.id`,
    parameters,
  )
  return rows.map(row => ({ ...row, pictures: row.pictures.slice(0, PICTURES) }))
}

interface Members {
  /** Ids of all that are not archived, in the order of the collection. */
  all: string[]
  onSale: string[]
}

export const membersOf: Load<string, Members> = async (em, ids) => {
  const rows = await select<{ collection: string; id: string; isOnSale: boolean }>(
    em,
    `select m.collection_id as collection, p.id, (${ON_SALE}) as "isOnSale"
     from collection_products m join products p on p.id = m.product_id
     where m.collection_id in (select jsonb_array_elements_text(?::jsonb)::uuid) and p.archived_at is null order by m.place`,
    [JSON.stringify([...new Set(ids)])],
  )
  const byCollection = Map.groupBy(rows, ({ collection }) => collection)
  return ids.map(id => {
    const members = byCollection.get(id) ?? []
    return {
      all: members.map(member => member.id),
      onSale: members.filter(({ isOnSale }) => isOnSale).map(member => member.id),
    }
  })
}
