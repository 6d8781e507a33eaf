import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { readKind } from '#schema/rules/facts/kind'
import { ownerLimits } from '#schema/rules/owner-limits'
import { productGroup } from '#schema/rules/shapes/product'
import { present, valueAt } from '#schema/rules/present'
import { changesBetween, recordAudit, type Actor } from '../audit/record-audit.ts'
import type { ProductGroupInput, ProductGroupVariesBy } from '../generated/types.ts'
import { refuse } from '../kernel/errors.ts'
import { check, isId, nullAsLeftOut } from '../kernel/validation.ts'
import { ProductGroup } from './product-group.entity.ts'
import type { Product } from './product.entity.ts'

interface WantedGroup {
  name: string
  variesBy: ProductGroupVariesBy
}

/** Needles and hooks come in sizes, all else in colours, until an administrator says otherwise. */
export function variesBy(product: Parameters<typeof readKind>[0]): ProductGroupVariesBy {
  const kind = readKind(product)
  return kind === 'NEEDLES' || kind === 'HOOK' ? 'SIZE' : 'COLOUR'
}

/** The ids of the groups of these names, made where there are none, by name as given. */
export async function groupsNamed(em: EntityManager, wanted: readonly WantedGroup[]): Promise<Map<string, string>> {
  if (wanted.length === 0) return new Map()
  // Sorted, so that two requests that create the same groups cannot deadlock.
  await em.execute(
    `insert into product_groups (id, name, varies_by)
     select id, name, varies_by from jsonb_to_recordset(?::jsonb) as w(id uuid, name text, varies_by text) order by lower(name)
     on conflict do nothing`,
    [JSON.stringify(wanted.map(({ name, variesBy }) => ({ id: v7(), name, varies_by: variesBy })))],
  )
  const found = await em.execute<{ name: string; id: string }[]>(
    `select w.name, g.id from jsonb_array_elements_text(?::jsonb) as w(name) join product_groups g on lower(g.name) = lower(w.name)`,
    [JSON.stringify(wanted.map(({ name }) => name))],
  )
  return new Map(found.map(({ name, id }) => [name, id]))
}

/** What a product's group is called; empty when it stands alone. */
export async function groupNameFor(em: EntityManager, { groupId }: Product): Promise<string> {
  return groupId ? (await em.findOneOrFail(ProductGroup, { id: groupId })).name : ''
}

/** Puts a product behind the others of the group of that name, or out of its group when the name is empty. The caller flushes. */
export async function putInGroup(em: EntityManager, product: Product, name: string): Promise<void> {
  if (name === '') {
    product.groupId = null
    product.groupPosition = null
    return
  }
  const groupId = valueAt(await groupsNamed(em, [{ name, variesBy: variesBy(product) }]), name)
  if (groupId === product.groupId) return
  product.groupId = groupId
  product.groupPosition = await nextPlace(em, groupId)
}

export async function nextPlace(em: EntityManager, groupId: string): Promise<number> {
  const [row] = await em.execute<{ next: number }[]>(
    'select coalesce(max(group_position), 0) + 1 as next from products where group_id = ?',
    [groupId],
  )
  return present(row).next
}

const groupInput = nullAsLeftOut(productGroup)

/** Changes what is said of a group, and the order of its products. */
export async function updateGroup(
  em: EntityManager,
  actor: Actor,
  id: string,
  input: ProductGroupInput,
): Promise<{ id: string }> {
  const { productIds, ...fields } = check(groupInput, input)
  try {
    return await em.transactional(async tx => {
      // A weaker lock than `for update`: a product that is being put into the group, locked by its own save, need not wait.
      if (isId(id)) await tx.execute('select from product_groups where id = ? for no key update', [id])
      const group = isId(id) ? await tx.findOne(ProductGroup, { id }, { refresh: true }) : null
      if (!group) throw refuse('NOT_FOUND', 'There is no such group.')
      const before = { group: group.name, maker: group.maker, variesBy: group.variesBy }
      tx.assign(group, fields)
      await tx.flush()
      if (productIds) await putInOrder(tx, id, productIds)
      const changes = changesBetween(before, { group: group.name, maker: group.maker, variesBy: group.variesBy }, [
        'group',
        'maker',
        'variesBy',
      ])
      // The history of a group is that of its products.
      if (changes.length > 0) {
        const products = await tx.execute<{ id: string; name: string }[]>(
          'select id, name from products where group_id = ? and archived_at is null order by group_position, id limit ?',
          [id, ownerLimits.groupProducts],
        )
        await recordAudit(
          tx,
          actor,
          ...products.map(product => ({
            entity: 'PRODUCT' as const,
            entityId: product.id,
            label: product.name,
            action: 'UPDATED' as const,
            changes,
          })),
        )
      }
      return { id }
    })
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException)
      throw refuse('INVALID', 'Another group has this name.', { field: ['name'] })
    throw error
  }
}

/** The given products first, in that order, the others behind as they were. */
async function putInOrder(em: EntityManager, groupId: string, ids: readonly string[]): Promise<void> {
  const members = await em.execute<{ id: string }[]>(
    'select id from products where group_id = ? order by id for no key update',
    [groupId],
  )
  const known = new Set(members.map(({ id }) => id))
  if (ids.some(id => !known.has(id)))
    throw refuse('INVALID', 'Not all of these products are in the group.', { field: ['productIds'] })
  await em.execute(
    `update products p set group_position = o.place
     from (select m.id, row_number() over (order by w.place nulls last, m.group_position, m.id)::int as place
           from products m left join jsonb_array_elements_text(?::jsonb) with ordinality as w(id, place) on w.id = m.id::text
           where m.group_id = ?) o
     where p.id = o.id and p.group_position is distinct from o.place`,
    [JSON.stringify([...new Set(ids)]), groupId],
  )
}
