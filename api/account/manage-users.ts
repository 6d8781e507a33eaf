import type { EntityManager } from '@mikro-orm/postgresql'
import { managedAccount } from '#schema/rules/shapes/account'
import { changesBetween, recordAudit } from '../audit/record-audit.ts'
import { forgetAddresses } from '../address/keep-addresses.ts'
import { forgetAnnotation } from '../annotation/annotate.ts'
import { forgetBells } from '../bell/ask-for-bell.ts'
import { forgetCart } from '../cart/forget-carts.ts'
import { signedIn, type Context } from '../context.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import type { ApiScope, UserInput } from '../generated/types.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { check } from '../kernel/validation.ts'
import { demandOfAdmin } from '../partner/scopes.ts'
import { recordAccountChange } from './account-event.ts'
import { confirmAddress, endAccess, uniqueEmail } from './addresses.ts'
import { EmailConfirmation } from './email-confirmation.entity.ts'
import { forgetIdentities } from './linked-identities.ts'
import { findOpen } from './open-account.ts'
import { PasswordReset } from './password-reset.entity.ts'
import { emailKey, type User } from './user.entity.ts'

const userInput = managedAccount<ApiScope>()

/** The asking administrator. Without the permission ADMIN, or with a key that lacks this scope, only shoppers' accounts change. */
type Editing = Pick<Context, 'em' | 'user' | 'scopes'>

/** Changes another account; the last administrator and oneself keep the role. */
export async function updateUser(editing: Editing, id: string, input: UserInput): Promise<User> {
  const actor = signedIn(editing)
  const { name, email, isAdmin, permissions } = check(userInput, input)
  if (permissions && !isAdmin)
    throw refuse('INVALID', 'Only administrators have permissions.', { field: ['permissions'] })
  return uniqueEmail(() =>
    editing.em.transactional(async tx => {
      const user = await findForUpdate(tx, id)
      if (user.isAdmin || isAdmin) demandOfAdmin(editing, ['ADMIN'])
      const limitedTo = !isAdmin ? null : permissions ? limitOf(permissions) : user.limitedTo
      if (user.isAdmin && (!isAdmin || limitedTo)) await assertExpendable(tx, actor, user)
      const [before, wasLimited] = [auditedOf(user), user.limitedTo !== null]
      tx.assign(user, { name, isAdmin, limitedTo })
      if (email !== before.email) await move(tx, user, email)
      const changes = changesBetween(before, auditedOf(user), [
        'name',
        'email',
        'isAdmin',
        // Everything comes and goes with the role.
        ...(wasLimited || limitedTo ? ['permissions'] : []),
      ])
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

/** Each permission once; null for all there are. */
export const limitOf = (permissions: readonly ApiScope[]): ApiScope[] | null =>
  permissions.includes('ADMIN') ? null : [...new Set(permissions)]

const auditedOf = ({ name, email, isAdmin, permissions }: User) => ({
  name,
  email,
  isAdmin,
  permissions: permissions.join(' ') || null,
})

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
export async function closeUser(editing: Editing, id: string): Promise<User> {
  const actor = signedIn(editing)
  return editing.em.transactional(async tx => {
    const user = await findForUpdate(tx, id)
    if (user.isAdmin) demandOfAdmin(editing, ['ADMIN'])
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

const mayDoAll = ({ isAdmin, limitedTo }: User) => isAdmin && !limitedTo

/** While all administrators are locked. */
export async function assertNotLast(em: EntityManager, user: User): Promise<void> {
  const [{ others }] = await em.execute<[{ others: number }]>(
    'select count(*)::int as others from users where is_admin and limited_to is null and closed_at is null and id <> ?',
    [user.id],
  )
  if (mayDoAll(user) && others === 0)
    throw refuse('LAST_ADMIN', 'At least one administrator must remain who may do everything.')
}
