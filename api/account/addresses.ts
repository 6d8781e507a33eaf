import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import { forgetAddresses } from '../address/keep-addresses.ts'
import { forgetCart } from '../cart/forget-carts.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { attachGuestOrders } from '../order/attach-guest-orders.ts'
import { recordAccountChange } from './account-event.ts'
import { EmailConfirmation } from './email-confirmation.entity.ts'
import { KnownDevice } from './known-device.entity.ts'
import { forgetIdentities } from './linked-identities.ts'
import { PasswordReset } from './password-reset.entity.ts'
import { Session } from './session.entity.ts'
import { User } from './user.entity.ts'

/** The account whose address it is; null while nobody confirmed it. */
export const findOwner = (em: EntityManager, emailKey: string) =>
  em.findOne(User, { emailKey, closedAt: null, emailVerifiedAt: { $ne: null } })

/**
 * The newest of the accounts that claim the address without having confirmed it: an earlier one gets in by a mailed
 * link, not by a password.
 */
export const findClaimant = (em: EntityManager, emailKey: string) =>
  em.findOne(User, { emailKey, closedAt: null, emailVerifiedAt: null }, { orderBy: { createdAt: 'desc', id: 'desc' } })

/**
 * Those who confirm one address wait here for each other, before they lock their accounts: whoever is first closes those of
 * the others.
 */
export const takeTurn = (em: EntityManager, emailKey: string) =>
  em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`confirms ${emailKey}`])

/** Marks the address as confirmed by this account. Any other account that claimed it loses it; nothing is merged. */
export async function confirmAddress(em: EntityManager, user: User): Promise<void> {
  user.emailVerifiedAt ??= clock.now()
  // The database decides first whether it is still free.
  await em.flush()
  const others = await em.find(User, {
    emailKey: user.emailKey,
    closedAt: null,
    emailVerifiedAt: null,
    id: { $ne: user.id },
  })
  for (const other of others) {
    other.closedAt = clock.now()
    await endAccess(em, other)
    await forgetIdentities(em, other)
    await forgetAddresses(em, other)
    await forgetCart(em, other)
    await recordAccountChange(em, other)
  }
  await attachGuestOrders(em, user)
}

/**
 * Ends every way into an account except its password and its keys: sessions, known devices, and links that were mailed
 * or copied.
 */
export async function endAccess(em: EntityManager, user: User): Promise<void> {
  for (const way of [Session, PasswordReset, EmailConfirmation, KnownDevice])
    await em.nativeDelete<Session | PasswordReset | EmailConfirmation | KnownDevice>(way, { user })
  await em.execute('delete from account_exports where user_id = ?', [user.id])
}

/** A unique index decides whether an address is free, so that of two concurrent requests only one gets it. */
export async function uniqueEmail<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) {
      throw refuse('EMAIL_TAKEN', 'An account with this email already exists.', { field: ['email'] })
    }
    throw error
  }
}
