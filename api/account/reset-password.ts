import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { hashOf } from '../kernel/tokens.ts'
import { clock } from '../kernel/clock.ts'
import type { Context } from '../context.ts'
import { refuse } from '../kernel/errors.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { check, email as emailRule } from '../kernel/validation.ts'
import { recordAccountChange } from './account-event.ts'
import { confirmAddress, takeTurn, uniqueEmail } from './addresses.ts'
import { changePassword, keysInForce } from './change-password.ts'
import { hashOfChosen, password as passwordRule } from './choose-password.ts'
import { isKnown } from './known-devices.ts'
import { lockOpen } from './open-account.ts'
import { PasswordReset } from './password-reset.entity.ts'
import { emailKey } from './user.entity.ts'

/** The first moment of links that are still good now. */
const oldestGood = () => new Date(clock.now().getTime() - limits.resetMinutes * 60_000)

const spent = () => refuse('RESET_LINK_SPENT', 'This link has been used or is too old. Please ask for a new one.')

/** Writes down that a link was asked for. The same work for every email, so that neither answer nor time reveals who has an account. */
export async function requestPasswordReset(
  { em, ip, mailTo, resetThrottle }: Context,
  input: string,
  device: string | null,
): Promise<void> {
  if (mailTo === 'nobody')
    throw refuse('MAIL_OFF', 'This shop sends no mail at the moment, so it cannot send you a link.')
  const { email } = check(z.object({ email: emailRule }), { email: input })
  await resetThrottle.admit({ ip, email })
  // Requests by strangers do not use up the owner's own allowance.
  const fromKnownDevice = device !== null && (await isKnown(em, device, email))
  queueMail(em, 'PASSWORD_RESET', { emailKey: emailKey(email), fromKnownDevice })
  await em.flush()
}

interface Choice {
  token: string
  password: string
  /** Null: nothing was asked for. */
  revokeApiKeys: boolean | null
}

/** Chooses a new password by a link: it is used up, with all others of the account, and every session ends. */
export async function resetPassword(
  context: Context,
  { token, revokeApiKeys, ...input }: Choice,
): Promise<{ device: string }> {
  const { em } = context
  const tokenHash = hashOf(token)
  const link = await em.findOne(PasswordReset, { tokenHash, createdAt: { $gt: oldestGood() } }, { populate: ['user'] })
  if (!link) throw spent()
  const { password } = check(z.object({ password: passwordRule }), input)
  const keys = revokeApiKeys === null ? await keysInForce(em, link.user) : []
  if (keys.length > 0) {
    throw refuse(
      'API_KEYS_IN_FORCE',
      'Programs work with API keys of this account. Please say whether they may go on.',
      { field: ['revokeApiKeys'], details: { apiKeys: keys.map(({ name }) => name) } },
    )
  }
  const passwordHash = await hashOfChosen(password, link.user.unwrap(), context)
  return uniqueEmail(() =>
    em.transactional(async tx => {
      await takeTurn(tx, link.user.unwrap().emailKey)
      // The account is locked first: of two requests with links of one account, the second waits here and finds its link
      // used up.
      const user = await lockOpen(tx, { id: link.user.id })
      const used = user && (await tx.nativeDelete(PasswordReset, { tokenHash, createdAt: { $gt: oldestGood() } }))
      if (!used) throw spent()
      // The link came by mail: who uses it reads the account's mailbox.
      const isNew = !user.emailVerifiedAt
      await confirmAddress(tx, user)
      if (isNew) await recordAccountChange(tx, user)
      return changePassword(tx, user, passwordHash, { revokeApiKeys: revokeApiKeys ?? false })
    }),
  )
}

/** Forgets links that nobody can use any more. */
export async function forgetResets(em: EntityManager): Promise<void> {
  await em.nativeDelete(PasswordReset, { createdAt: { $lt: oldestGood() } })
}
