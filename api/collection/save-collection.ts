import { LockMode, UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { ownerLimits } from '#schema/rules/owner-limits'
import { present } from '#schema/rules/present'
import { collection } from '#schema/rules/shapes/collection'
import { slugOf } from '#schema/rules/slug'
import { changesBetween, recordAudit, type Actor } from '../audit/record-audit.ts'
import type { CollectionInput } from '../generated/types.ts'
import { refuse } from '../kernel/errors.ts'
import { check, isId } from '../kernel/validation.ts'
import { Collection } from './collection.entity.ts'
import { listAllCollections, membersOf, readCollection, type CollectionShown } from './list-collections.ts'

const given = collection.extend({ version: z.number().int().nullish() })

const AUDITED = ['name', 'description', 'isPublished', 'products'] as const

export async function createCollection(
  em: EntityManager,
  actor: Actor,
  input: CollectionInput,
): Promise<CollectionShown> {
  const { version: _, productIds, ...fields } = check(given, input)
  const id = await em
    .transactional(async tx => {
      const { all, next } = await countAll(tx)
      if (all >= ownerLimits.collection.all)
        throw refuse('INVALID', `A shop has at most ${ownerLimits.collection.all} collections.`, { field: ['name'] })
      const made = tx.create(Collection, { ...fields, slug: await freeSlug(tx, fields.name), position: next })
      await tx.flush()
      await putIn(tx, made.id, productIds)
      const changes = changesBetween(null, await audited(tx, made), AUDITED)
      await recordAudit(tx, actor, { ...about(made), action: 'CREATED', changes })
      return made.id
    })
    .catch((error: unknown) => {
      throw error instanceof UniqueConstraintViolationException
        ? refuse('CONFLICT', 'Somebody made a collection of this name at the same moment. Please try again.')
        : error
    })
  return present(await readCollection(em, id))
}

export async function updateCollection(
  em: EntityManager,
  actor: Actor,
  id: string,
  input: CollectionInput,
): Promise<CollectionShown> {
  const { version, productIds, ...fields } = check(given, input)
  await em.transactional(async tx => {
    const found = await lockCollection(tx, id)
    const before = await audited(tx, found)
    tx.assign(found, fields)
    await putIn(tx, id, productIds)
    const changes = changesBetween(before, await audited(tx, found), AUDITED)
    // Also for who sends the same once more.
    if (changes.length === 0) return
    if (version != null && version !== found.version)
      throw refuse('CONFLICT', 'Somebody changed this collection meanwhile. Please look at what they did first.', {
        details: { collection: await readCollection(em.fork(), id) },
      })
    found.version += 1
    await recordAudit(tx, actor, { ...about(found), action: 'UPDATED', changes })
  })
  return present(await readCollection(em, id))
}

/** Puts products at the end; those that are in it stay where they are. */
export async function addToCollection(
  em: EntityManager,
  actor: Actor,
  id: string,
  productIds: readonly string[],
): Promise<CollectionShown> {
  await em.transactional(async tx => {
    const found = await lockCollection(tx, id)
    const before = await audited(tx, found)
    const [members] = await membersOf(tx, [id])
    const together = [...new Set([...present(members).all, ...productIds.map(each => each.toLowerCase())])]
    await putIn(tx, id, check(collection.pick({ productIds: true }), { productIds: together }).productIds)
    const changes = changesBetween(before, await audited(tx, found), AUDITED)
    if (changes.length === 0) return
    found.version += 1
    await recordAudit(tx, actor, { ...about(found), action: 'UPDATED', changes })
  })
  return present(await readCollection(em, id))
}

/** Answers with what it was. */
export function deleteCollection(em: EntityManager, actor: Actor, id: string): Promise<CollectionShown> {
  return em.transactional(async tx => {
    const found = await lockCollection(tx, id)
    const was = present(await readCollection(tx, id))
    await recordAudit(tx, actor, { ...about(found), action: 'DELETED', changes: [] })
    tx.remove(found)
    return was
  })
}

export async function orderCollections(em: EntityManager, ids: readonly string[]): Promise<CollectionShown[]> {
  await em.transactional(async tx => {
    const there = await tx.find(
      Collection,
      {},
      { orderBy: { position: 'asc', id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
    )
    const first = ids.map(id => {
      const found = there.find(each => each.id === id)
      if (!found) throw missing()
      return found
    })
    for (const [place, each] of [...new Set([...first, ...there])].entries()) each.position = place
  })
  return listAllCollections(em)
}

async function lockCollection(em: EntityManager, id: string): Promise<Collection> {
  const found = isId(id)
    ? await em.findOne(Collection, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
    : null
  if (!found) throw missing()
  return found
}

const missing = () => refuse('NOT_FOUND', 'There is no such collection.')

/** How many there are, once nobody else is making one. */
async function countAll(em: EntityManager): Promise<{ all: number; next: number }> {
  await em.execute(`select pg_advisory_xact_lock(hashtextextended('collections', 0))`)
  const [row] = await em.execute<{ all: number; next: number }[]>(
    'select count(*)::int as "all", coalesce(max(position), 0) + 1 as next from collections',
  )
  return present(row)
}

/** The name as the end of an address, with a number where another collection has it already. */
async function freeSlug(em: EntityManager, name: string): Promise<string> {
  const slug = slugOf(name) || 'collection'
  const rows = await em.execute<{ slug: string }[]>('select slug from collections where starts_with(slug, ?)', [slug])
  const taken = new Set(rows.map(row => row.slug))
  for (let number = 2, free = slug; ; number++) {
    if (!taken.has(free)) return free
    free = `${slug}-${number}`
  }
}

/** Makes these the products of a collection, in this order. */
export async function putIn(em: EntityManager, id: string, productIds: readonly string[]): Promise<void> {
  const known = productIds.every(isId)
    ? await em.execute<{ id: string }[]>(
        'select id from products where id in (select jsonb_array_elements_text(?::jsonb)::uuid) and archived_at is null',
        [JSON.stringify(productIds)],
      )
    : []
  if (known.length < productIds.length)
    throw refuse('NOT_FOUND', 'One of the products is not there any more. Please take it out.', {
      field: ['productIds'],
    })
  await em.execute('delete from collection_products where collection_id = ?', [id])
  await em.execute(
    `insert into collection_products (collection_id, product_id, place)
     select ?, id::uuid, place from jsonb_array_elements_text(?::jsonb) with ordinality as p(id, place)`,
    [id, JSON.stringify(productIds)],
  )
}

/** Its products as people read them, and by their SKUs, for two may have one name. */
async function audited(em: EntityManager, { id, name, description, isPublished }: Collection) {
  const rows = await em.execute<{ product: string }[]>(
    `select p.name || ' (' || p.sku || ')' as product from collection_products m join products p on p.id = m.product_id where m.collection_id = ? order by m.place`,
    [id],
  )
  return { name, description, isPublished, products: rows.map(row => row.product).join(', ') }
}

const about = ({ id, name }: Collection) => ({ entity: 'COLLECTION' as const, entityId: id, label: name })
