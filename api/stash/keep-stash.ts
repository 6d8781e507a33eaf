import type { EntityManager } from '@mikro-orm/postgresql'
import { limits } from '#schema/rules/limits'
import { assertOpen } from '../account/open-account.ts'
import type { User } from '../account/user.entity.ts'
import { Product } from '../catalog/product.entity.ts'
import { refuse } from '../kernel/errors.ts'
import { isId } from '../kernel/validation.ts'
import { StashItem } from './stash-item.entity.ts'

/** What an account has in its stash, newest first. */
export function listStash(em: EntityManager, { id: userId }: User): Promise<StashItem[]> {
  return em.find(StashItem, { userId }, { orderBy: { addedAt: 'desc', id: 'desc' }, limit: limits.stash })
}

/** Puts a product into an account's stash, once, however many ask for it at a time. */
export async function addToStash(em: EntityManager, { id: userId }: User, productId: string): Promise<StashItem> {
  const product = isId(productId) ? await em.findOne(Product, { id: productId }) : null
  if (!product?.isForSale) throw refuse('NOT_FOUND', 'There is no such product.')
  return em.transactional(async tx => {
    // Additions of one account wait here, so that its stash is counted and filled one at a time.
    await assertOpen(tx, userId, 'no key update')
    const known = await tx.findOne(StashItem, { userId, productId })
    if (known) return known
    if ((await tx.count(StashItem, { userId })) >= limits.stash)
      throw refuse('STASH_FULL', `Your stash holds ${limits.stash} products, as many as it can. Take one out first.`)
    const item = tx.create(StashItem, { userId, productId })
    await tx.flush()
    return item
  })
}

/** Empties the stash of an account that is deleted. */
export async function forgetStash(em: EntityManager, { id: userId }: User): Promise<void> {
  await em.nativeDelete(StashItem, { userId })
}

/** Takes a product out of an account's stash. */
export async function removeFromStash(em: EntityManager, { id: userId }: User, productId: string): Promise<void> {
  if (!isId(productId)) throw refuse('NOT_FOUND', 'There is no such product.')
  await em.nativeDelete(StashItem, { userId, productId })
}
