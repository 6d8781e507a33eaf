import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { lotCode } from '#schema/rules/shapes/product'
import { present } from '#schema/rules/present'
import { findOwner } from '../account/addresses.ts'
import { emailKey, type User } from '../account/user.entity.ts'
import { Product } from '../catalog/product.entity.ts'
import { countLot } from '../catalog/lots.ts'
import type { Context } from '../context.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { hashOf, newToken } from '../kernel/tokens.ts'
import { check, email as emailRule, isId } from '../kernel/validation.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { Bell } from './bell.entity.ts'
import { BellLink } from './bell-link.entity.ts'

/** Whose bell it is: an account's, or that of an address nobody confirmed for an account. */
type Owner = Pick<User, 'id' | 'emailKey'> | { email: string; emailKey: string }

/** The first moment of links that are still good now. */
const oldestGood = () => new Date(clock.now().getTime() - limits.confirmHours * 3_600_000)

const spent = () => refuse('BELL_LINK_SPENT', 'This link has been used or is too old. Please ask once more.')

/** The dye lot that is meant, empty for whatever there is of a product. */
const readLot = (lot: string | null | undefined) => (lot == null ? '' : check(z.object({ lot: lotCode }), { lot }).lot)

/** Asks for a mail when a product, or a dye lot of it, is back. Returns whether that is settled; an address that anybody may have typed is asked first. */
export async function askForBell(
  context: Context,
  productId: string,
  input: string | null,
  askedLot: string | null | undefined,
): Promise<{ product: Product; lot: string | null; isSet: boolean }> {
  const { em, ip, user, mailTo, bellThrottle } = context
  const isOwn = input === null && user?.emailVerifiedAt != null
  const email = isOwn ? null : check(z.object({ email: emailRule }), { email: input ?? '' }).email
  const lot = readLot(askedLot)
  const product = await findForSale(em, productId)
  if (mailTo === 'nobody')
    throw refuse('MAIL_OFF', 'This shop sends no mail at the moment, so it cannot send you a letter.')
  // Counted before the lot is looked up, which reads every order of the product: strangers may name any lot.
  if (email !== null) await bellThrottle.admit({ ip, email })
  await refuseInStock(em, product, lot)
  if (email === null) {
    await em.transactional(tx => keep(tx, product.id, lot, present(user)))
    return { product, lot: lot || null, isSet: true }
  }
  // The same work for every address, so that neither answer nor time reveals who waits for what, or who has an account.
  queueMail(em, 'BELL_CONFIRMATION', { email, emailKey: emailKey(email), productId: product.id, lot })
  await em.flush()
  return { product, lot: lot || null, isSet: false }
}

/** Settles what was asked for, by the link that was sent to the address. */
export function confirmBell(em: EntityManager, token: string): Promise<{ product: Product; lot: string | null }> {
  return em.transactional(async tx => {
    const tokenHash = hashOf(token)
    const link = await tx.findOne(BellLink, { tokenHash, createdAt: { $gt: oldestGood() } })
    if (!link) throw spent()
    const { productId, lot, emailKey, email } = link
    const product = await findForSale(tx, productId)
    // Of two concurrent clicks, the second finds the link used.
    if ((await tx.nativeDelete(BellLink, { tokenHash })) === 0) throw spent()
    const owner = await findOwner(tx, emailKey)
    await keep(tx, productId, lot, owner ?? { email, emailKey })
    await tx.nativeDelete(BellLink, { productId, lot, emailKey })
    return { product, lot: lot || null }
  })
}

/** What is in stock needs no bell; and a lot the shop never had would put a stranger's text into a letter. */
async function refuseInStock(em: EntityManager, product: Product, lot: string): Promise<void> {
  const left = lot === '' ? product.countInStock : await countLot(em, product.id, lot)
  if (left === null || (lot !== '' && !product.keptByLot))
    throw refuse('NOT_FOUND', `We never had such a dye lot of “${product.name}”.`, { field: ['lot'] })
  const subject = lot === '' ? `“${product.name}”` : `Lot ${lot} of “${product.name}”`
  if (left > 0) throw refuse('IN_STOCK', `${subject} is in stock: you can have it now.`)
}

/** Keeps one bell for a product or a lot of it, however often it is asked for at once. */
async function keep(em: EntityManager, productId: string, lot: string, owner: Owner): Promise<void> {
  const { emailKey } = owner
  const whose = 'id' in owner ? { userId: owner.id } : { emailKey, email: owner.email }
  // Requests for the same person wait here, so that bells are counted and added one at a time.
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`bells ${emailKey}`])
  const bells = await em.find(Bell, 'id' in owner ? { userId: owner.id } : { emailKey })
  if (bells.some(bell => bell.productId === productId && bell.lot === lot)) return
  if (bells.length >= limits.bells)
    throw refuse(
      'BELLS_FULL',
      `You are waiting for ${limits.bells} products, as many as you can. Stop waiting for one first.`,
    )
  // The address may have a bell from before it had an account: one letter is enough.
  if ('id' in owner) await em.nativeDelete(Bell, { productId, lot, emailKey })
  em.create(Bell, { productId, lot, ...whose, stopToken: bells[0]?.stopToken ?? newToken() })
  await em.flush()
}

/** What an account waits for, newest first. */
export const listBells = (em: EntityManager, { id: userId }: User): Promise<Bell[]> =>
  em.find(Bell, { userId }, { orderBy: { askedAt: 'desc', id: 'desc' }, limit: limits.bells })

/** Takes back what an account asked for. */
export async function removeBell(
  em: EntityManager,
  { id: userId }: User,
  productId: string,
  askedLot: string | null | undefined,
): Promise<{ product: Product; lot: string | null }> {
  const lot = readLot(askedLot)
  const product = await findForSale(em, productId)
  await em.nativeDelete(Bell, { userId, productId, lot })
  return { product, lot: lot || null }
}

/** Stops all notices of the address that got a mail, and links that were asked for before. */
export function stopBells(em: EntityManager, stopToken: string): Promise<void> {
  return em.transactional(async tx => {
    const bell = await tx.findOne(Bell, { stopToken })
    if (!bell) throw refuse('BELL_LINK_SPENT', 'Nothing is waiting any more: no email will come.')
    const { userId, emailKey } = bell
    await tx.nativeDelete(Bell, userId ? { userId } : { emailKey })
    if (emailKey) await tx.nativeDelete(BellLink, { emailKey })
  })
}

/** Forgets what an account that was closed waits for. */
export async function forgetBells(em: EntityManager, { id: userId }: User): Promise<void> {
  await em.nativeDelete(Bell, { userId })
}

/** Forgets what anybody at an address waits for, or asked to. */
export async function forgetBellsOf(em: EntityManager, emailKey: string): Promise<void> {
  await em.nativeDelete(Bell, { emailKey })
  await em.nativeDelete(BellLink, { emailKey })
}

/** Forgets links that nobody can use any more. */
export async function forgetBellLinks(em: EntityManager): Promise<void> {
  await em.nativeDelete(BellLink, { createdAt: { $lt: oldestGood() } })
}

async function findForSale(em: EntityManager, productId: string): Promise<Product> {
  const product = isId(productId) ? await em.findOne(Product, { id: productId }) : null
  if (!product?.isForSale) throw refuse('NOT_FOUND', 'There is no such product.')
  return product
}
