import type { EntityManager } from '@mikro-orm/postgresql'
import { limits } from '#schema/rules/limits'
import { hashOf, newToken } from './authenticate.ts'
import { clock } from '../kernel/clock.ts'
import { writeLetter, type Letter } from '../mail/template.ts'
import type { Mail, MailAbout } from '../mail/mail.entity.ts'
import { isTooMany } from '../mail/too-many.ts'
import { findClaimant, findOwner } from './addresses.ts'
import { PasswordReset } from './password-reset.entity.ts'

export interface Shop {
  em: EntityManager
  shopUrl: string
  timeZone: string
}

/**
 * The link to choose a new password; null without an open account, or after too many such mails. Its token is made only now,
 * so that it is written down nowhere but in the letter, and it goes to the account's own address, whatever spelling of it was
 * asked for. Links of earlier mails stay good: what strangers ask for takes nothing from the owner.
 */
export async function writeResetLetter(
  { em, shopUrl }: Shop,
  mail: Mail,
  { emailKey }: MailAbout['PASSWORD_RESET'],
): Promise<Letter | null> {
  const user = (await findOwner(em, emailKey)) ?? (await findClaimant(em, emailKey))
  if (!user || (await isTooMany(em, mail))) return null
  const token = newToken()
  em.create(PasswordReset, { tokenHash: hashOf(token), user, mailId: mail.id, createdAt: clock.now() })
  await em.flush()
  return writeLetter({
    recipient: user.email,
    subject: 'Choose a new password',
    name: user.name,
    parts: [
      'Someone, hopefully you, asked for a new password for your account at Skein.',
      // Behind the `#`, which browsers tell no server, neither this one nor the next they go to.
      { link: `${shopUrl}/reset-password#${token}`, label: 'Choose a new password' },
      `The link works once, for ${limits.resetMinutes} minutes.`,
      'Was it not you? Then there is nothing to do: your password stays as it is.',
    ],
  })
}

export function writeChangedLetter(
  { shopUrl, timeZone }: Shop,
  { name, email, at }: MailAbout['PASSWORD_CHANGED'],
): Letter {
  return writeLetter({
    recipient: email,
    subject: 'Your password was changed',
    name,
    parts: [
      `The password of your account at Skein was changed on ${moment(at, timeZone)}. Everyone who was signed in with the old one is signed out.`,
      'Was it not you? Then choose a new one now:',
      { link: `${shopUrl}/forgot-password`, label: 'Choose a new password' },
    ],
  })
}

export const moment = (at: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(new Date(at))
