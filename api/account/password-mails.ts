import { limits } from '#schema/rules/limits'
import { zonedMoment } from '#schema/rules/time-zone'
import { hashOf, newToken } from '../kernel/tokens.ts'
import { clock } from '../kernel/clock.ts'
import { NO_ZONE, writeLetter, type Letter, type Shop, type Templates } from '../mail/template.ts'
import type { DueMail, MailAbout } from '../mail/mail.entity.ts'
import { isTooMany } from '../mail/too-many.ts'
import { findClaimant, findOwner } from './addresses.ts'
import { PasswordReset } from './password-reset.entity.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
    /**
     * The account is looked up when the mail is sent, so that the time a visitor waits does not tell whether there is
     * one.
     */
    PASSWORD_RESET: { emailKey: string; fromKnownDevice: boolean }
    /** Goes to the address the account had. */
    PASSWORD_CHANGED: { name: string; email: string; at: string; timeZone?: string | null }
  }
}

/**
 * The link to choose a new password; null without an open account, or after too many such mails. Its token is made only now,
 * so that it is written down nowhere but in the letter, and it goes to the account's own address, whatever spelling of it was
 * asked for. Links of earlier mails stay good: what strangers ask for takes nothing from the owner.
 */
async function writeResetLetter(
  shop: Shop,
  { emailKey }: MailAbout['PASSWORD_RESET'],
  mail: DueMail,
): Promise<Letter | null> {
  const { em, shopUrl } = shop
  const user = (await findOwner(em, emailKey)) ?? (await findClaimant(em, emailKey))
  if (!user || (await isTooMany(em, mail))) return null
  const token = newToken()
  em.create(PasswordReset, { tokenHash: hashOf(token), user, mailId: mail.id, createdAt: clock.now() })
  await em.flush()
  return writeLetter(shop, {
    recipient: user.email,
    subject: 'Choose a new password',
    name: user.name,
    parts: [
      `Someone, hopefully you, asked for a new password for your account at ${shop.contact.name}.`,
      // In the fragment (`#`), which browsers send to no server, so that it is in no log and no referrer.
      { link: `${shopUrl}/reset-password#${token}`, label: 'Choose a new password' },
      `The link works once, for ${limits.resetMinutes} minutes.`,
      'Was it not you? Then there is nothing to do: your password stays as it is.',
    ],
  })
}

function writeChangedLetter(shop: Shop, { name, email, at, timeZone }: MailAbout['PASSWORD_CHANGED']): Letter {
  return writeLetter(shop, {
    recipient: email,
    subject: 'Your password was changed',
    name,
    parts: [
      `The password of your account at ${shop.contact.name} was changed on ${zonedMoment(at, timeZone ?? NO_ZONE)}. Everyone who was signed in with the old one is signed out.`,
      'Was it not you? Then choose a new one now:',
      { link: `${shop.shopUrl}/forgot-password`, label: 'Choose a new password' },
    ],
  })
}

export const passwordMails = {
  PASSWORD_RESET: writeResetLetter,
  PASSWORD_CHANGED: writeChangedLetter,
} satisfies Partial<Templates>
