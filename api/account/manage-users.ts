import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { namedAccount } from '#schema/rules/shapes/account'
import { changesBetween, recordAudit } from '../audit/record-audit.ts'
import { forgetAddresses } from '../address/keep-addresses.ts'
import { forgetAnnotation } from '../annotation/annotate.ts'
import { forgetBells } from '../bell/ask-for-bell.ts'
import { forgetCart } from '../cart/forget-carts.ts'
import type { Context } from '../context.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import type { UserInput } from '../generated/types.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { check } from '../kernel/validation.ts'
import { demand } from '../partner/scopes.ts'
import { recordAccountChange } from './account-event.ts'
import { confirmAddress, endAccess, uniqueEmail } from './addresses.ts'
import { EmailConfirmation } from './email-confirmation.entity.ts'
import { forgetIdentities } from './linked-identities.ts'
import { findOpen } from './open-account.ts'
import { PasswordReset } from './password-reset.entity.ts'
import { emailKey, type User } from './user.entity.ts'

/** The asking administrator; an API key without the scope ADMIN can change only shoppers' accounts. */
type Editing = Pick<Context, 'em' | 'scopes'>

const userInput = namedAccount.extend({ isAdmin: z.boolean() })

/** Changes another account; the last administrator and oneself keep the role. */
export async function updateUser({ em, scopes }: Editing, actor: User, id: string, input: UserInput): Promise<User> {
  const { name, email, isAdmin } = check(userInput, input)
  return uniqueEmail(() =>
    em.transactional(async tx => {
      const user = await findForUpdate(tx, id)
      if (user.isAdmin || isAdmin) demand(scopes, ['ADMIN'])
      if (user.isAdmin && !isAdmin) await assertExpendable(tx, actor, user)
      const before = { name: user.name, email: user.email, isAdmin: user.isAdmin }
      tx.assign(user, { name, isAdmin })
      if (email !== before.email) await move(tx, user, email)
      const changes = changesBetween(before, { name, email, isAdmin }, ['name', 'email', 'isAdmin'])
      if (changes.length > 0) {
        await recordAccountChange(tx, user)
        await recordAudit(tx, actor, {
          entity: 'USER',
          entityId: user.id,
          label: user.email,
          action: 'UPDATED',
          changes,
        })
      }
      return user
    }),
  )
}

/** Gives an account another address, which the administrator vouches for, and notifies the old one. */
async function move(em: EntityManager, user: User, newEmail: string): Promise<void> {
  const { name, email } = user
  const at = clock.now()
  if (user.emailVerifiedAt)
    queueMail(em, 'EMAIL_CHANGE', {
      name,
      email,
      newEmail,
      state: 'BY_SHOP',
      at: at.toISOString(),
      timeZone: user.timeZone,
    })
  em.assign(user, { email: newEmail, emailKey: emailKey(newEmail), emailVerifiedAt: at, newEmail: null })
  await em.nativeDelete(PasswordReset, { user })
  await em.nativeDelete(EmailConfirmation, { user })
  await confirmAddress(em, user)
}

/** Closes an account: its sessions end at once, its orders and reviews stay. */
export async function closeUser({ em, scopes }: Editing, actor: User, id: string): Promise<User> {
  return em.transactional(async tx => {
    const user = await findForUpdate(tx, id)
    if (user.isAdmin) demand(scopes, ['ADMIN'])
    await assertExpendable(tx, actor, user)
    user.closedAt = clock.now()
    await endAccess(tx, user)
    await forgetIdentities(tx, user)
    await forgetBells(tx, user)
    await forgetAddresses(tx, user)
    await forgetCart(tx, user)
    await forgetAnnotation(tx, user)
    await recordAccountChange(tx, user)
    await recordAudit(tx, actor, { entity: 'USER', entityId: user.id, label: user.email, action: 'CLOSED' })
    return user
  })
}

async function findForUpdate(em: EntityManager, id: string): Promise<User> {
  await lockAdministrators(em)
  const user = await findOpen(em, id, { refresh: true })
  if (!user) throw refuse('NOT_FOUND', 'There is no such user.')
  return user
}

/** Locks all administrators, in id order: of two who remove each other or leave at the same time, one waits. */
export async function lockAdministrators(em: EntityManager): Promise<void> {
  await em.execute('select id from users where is_admin and closed_at is null order by id for update')
}

async function assertExpendable(em: EntityManager, actor: User, user: User): Promise<void> {
  if (user.id === actor.id) throw refuse('LAST_ADMIN', 'You cannot remove or demote yourself.')
  await assertNotLast(em, user)
}

/** While all administrators are locked. */
export async function assertNotLast(em: EntityManager, user: User): Promise<void> {
  const [{ others }] = await em.execute<[{ others: number }]>(
    'select count(*)::int as others from users where is_admin and closed_at is null and id <> ?',
    [user.id],
  )
  if (user.isAdmin && others === 0) throw refuse('LAST_ADMIN', 'At least one administrator must remain.')
}
