import type { EntityManager } from '@mikro-orm/postgresql'
import { limits } from '#schema/rules/limits'
import { changesBetween, recordAudit } from '../audit/record-audit.ts'
import { hashOf } from '../kernel/tokens.ts'
import { clock } from '../kernel/clock.ts'
import { signedIn, type Context } from '../context.ts'
import { refuse } from '../kernel/errors.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { recordAccountChange } from './account-event.ts'
import { confirmAddress, takeTurn, uniqueEmail } from './addresses.ts'
import { EmailConfirmation } from './email-confirmation.entity.ts'
import { lockOwn } from './open-account.ts'
import { PasswordReset } from './password-reset.entity.ts'
import { emailKey, type User } from './user.entity.ts'

/** The first moment of links that are still good now. */
const oldestGood = () => new Date(clock.now().getTime() - limits.confirmHours * 3_600_000)

/** Sends the link once more: to the address that is asked for, or else to the account's own. */
export async function requestEmailConfirmation(context: Context): Promise<void> {
  const { em, ip, mailTo, resetThrottle } = context
  if (mailTo === 'nobody')
    throw refuse('MAIL_OFF', 'This shop sends no mail at the moment, so it cannot send you a link.')
  const user = signedIn(context)
  const email = user.newEmail ?? (user.emailVerifiedAt ? null : user.email)
  if (email === null) throw refuse('NOT_FOUND', 'Your email is confirmed already.')
  await resetThrottle.admit({ ip, email })
  queueMail(em, 'EMAIL_CONFIRMATION', { userId: user.id, email, emailKey: emailKey(email) })
  await em.flush()
}

/**
 * Confirms the address a link was sent to, as that of the account that asked for it. The mail shows who reads the mailbox,
 * and the session whose account it is: nobody confirms, by opening a mail, an account that somebody else made.
 */
export function confirmEmail(em: EntityManager, { id }: User, token: string): Promise<User> {
  return uniqueEmail(() =>
    em.transactional(async tx => {
      const tokenHash = hashOf(token)
      const mailed = await tx.findOne(EmailConfirmation, { tokenHash })
      if (mailed) await takeTurn(tx, emailKey(mailed.email))
      const user = await lockOwn(tx, { id })
      const link = await tx.findOne(EmailConfirmation, {
        tokenHash,
        user,
        createdAt: { $gt: oldestGood() },
      })
      const email = [user.newEmail, user.emailVerifiedAt ? null : user.email].find(
        asked => asked !== null && asked === link?.email,
      )
      if (!email)
        throw refuse('EMAIL_LINK_SPENT', 'This link has been used, is too old, or belongs to another account.')
      if (email !== user.email) await move(tx, user, email)
      await tx.nativeDelete(EmailConfirmation, { user })
      await confirmAddress(tx, user)
      await recordAccountChange(tx, user)
      return user
    }),
  )
}

async function move(em: EntityManager, user: User, newEmail: string): Promise<void> {
  const { id, name, email, timeZone } = user
  const changes = changesBetween({ email }, { email: newEmail }, ['email'])
  await recordAudit(em, user, { entity: 'USER', entityId: id, label: newEmail, action: 'UPDATED', changes })
  if (user.emailVerifiedAt)
    queueMail(em, 'EMAIL_CHANGE', { name, email, newEmail, state: 'DONE', at: clock.now().toISOString(), timeZone })
  em.assign(user, { email: newEmail, emailKey: emailKey(newEmail), emailVerifiedAt: clock.now(), newEmail: null })
  // A link that went to an address the account no longer has opens nothing.
  await em.nativeDelete(PasswordReset, { user })
}

/** Forgets an address that was asked for; links to confirm it end. */
export function cancelEmailChange(em: EntityManager, { id }: User): Promise<User> {
  return em.transactional(async tx => {
    const user = await lockOwn(tx, { id })
    if (user.newEmail !== null) await tx.nativeDelete(EmailConfirmation, { user, email: user.newEmail })
    user.newEmail = null
    return user
  })
}

/** Forgets links that nobody can use any more. */
export async function forgetConfirmations(em: EntityManager): Promise<void> {
  await em.nativeDelete(EmailConfirmation, { createdAt: { $lt: oldestGood() } })
}
