import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { changesBetween, recordAudit } from '../audit/record-audit.ts'
import { recordAccountChange } from './account-event.ts'
import { openSession } from './authenticate.ts'
import { clock } from '../kernel/clock.ts'
import { signedIn, type Context } from '../context.ts'
import { refuse } from '../kernel/errors.ts'
import type { ProfileInput } from '../generated/types.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { check, email, requiredText } from '../kernel/validation.ts'
import { changePassword } from './change-password.ts'
import { hashOfChosen, password } from './choose-password.ts'
import { EmailConfirmation } from './email-confirmation.entity.ts'
import { lockOwn } from './open-account.ts'
import { isFresh, notFresh, passwordMissing, provePassword, wrongPassword } from './prove-identity.ts'
import { emailKey, type User } from './user.entity.ts'

const blankIsNone = z
  .string()
  .nullish()
  .transform(text => text || undefined)
const profile = z.object({
  name: requiredText('Name', limits.name),
  email,
  password: blankIsNone.pipe(password.optional()),
  currentPassword: blankIsNone,
  revokeApiKeys: z
    .boolean()
    .nullish()
    .transform(asked => asked ?? false),
})

interface Updated {
  user: User
  token: string | null
  device: string | null
}

/**
 * Changes one's own account. A new password ends every session and opens a new one; a new address is only noted down until
 * it is confirmed.
 */
export async function updateProfile(context: Context, input: ProfileInput): Promise<Updated> {
  const { em, mailTo } = context
  const { id, email: oldEmail, passwordHash: oldHash } = signedIn(context)
  const { currentPassword, revokeApiKeys, ...changes } = check(profile, input)
  const isMoving = changes.email !== oldEmail
  if (isMoving && mailTo === 'nobody')
    throw refuse('MAIL_OFF', 'This shop sends no mail at the moment, so a new email cannot be confirmed.', {
      field: ['email'],
    })
  const provenHash = currentPassword === undefined ? null : await provePassword(context, currentPassword)
  if (provenHash === null && (isMoving || changes.password)) {
    const mayBeFresh = !isMoving || oldHash === null
    if (!mayBeFresh || !(await isFresh(context))) throw oldHash === null ? notFresh() : unproven(isMoving)
  }
  const passwordHash = changes.password && (await hashOfChosen(changes.password, changes, context))
  return em.transactional(async tx => {
    const user = await lockOwn(tx, { id })
    // The password that was proven may have been changed since.
    if (provenHash !== null && user.passwordHash !== provenHash) throw wrongPassword()
    const before = { id, name: user.name, email: user.email }
    const audited = changesBetween(before, changes, ['name'])
    if (audited.length > 0)
      await recordAudit(tx, before, {
        entity: 'USER',
        entityId: id,
        label: user.email,
        action: 'UPDATED',
        changes: audited,
      })
    user.name = changes.name
    if (audited.length > 0) await recordAccountChange(tx, user)
    const { device } = passwordHash
      ? await changePassword(tx, user, passwordHash, { revokeApiKeys, name: before.name })
      : { device: null }
    // A new password cancels an address change that was asked for before.
    if (isMoving) await askToMove(tx, user, changes.email)
    return { user, token: passwordHash ? openSession(tx, user) : null, device }
  })
}

async function askToMove(em: EntityManager, user: User, newEmail: string): Promise<void> {
  user.newEmail = newEmail
  await em.nativeDelete(EmailConfirmation, { user })
  queueMail(em, 'EMAIL_CONFIRMATION', { userId: user.id, email: newEmail, emailKey: emailKey(newEmail) })
  if (user.emailVerifiedAt)
    queueMail(em, 'EMAIL_CHANGE', {
      name: user.name,
      email: user.email,
      newEmail,
      state: 'ASKED',
      at: clock.now().toISOString(),
      timeZone: user.timeZone,
    })
}

const unproven = (isMoving: boolean) =>
  passwordMissing(`To change your ${isMoving ? 'email' : 'password'}, please give your current password as well.`)
