import { limits } from '#schema/rules/limits'
import { zonedMoment } from '#schema/rules/time-zone'
import { hashOf, newToken } from '../kernel/tokens.ts'
import { clock } from '../kernel/clock.ts'
import { NO_ZONE, writeLetter, type Letter, type Shop, type Templates } from '../mail/template.ts'
import type { DueMail, MailAbout } from '../mail/mail.entity.ts'
import { isTooMany } from '../mail/too-many.ts'
import { findOwner } from './addresses.ts'
import { EmailConfirmation } from './email-confirmation.entity.ts'
import { findOpen } from './open-account.ts'
import type { User } from './user.entity.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
    /** A link to confirm an address that an account claims, or a notice to the account that already has it. */
    EMAIL_CONFIRMATION: { userId: string; email: string; emailKey: string }
    /** Goes to the address the account has, or had. */
    EMAIL_CHANGE: {
      name: string
      email: string
      newEmail: string
      state: 'ASKED' | 'DONE' | 'BY_SHOP'
      at: string
      timeZone?: string | null
    }
  }
}

/**
 * The link to confirm an address, or a notice when it already belongs to another account. Null when it is no longer
 * wanted, or after too many such mails.
 */
async function writeConfirmationLetter(
  shop: Shop,
  { userId, email, emailKey }: MailAbout['EMAIL_CONFIRMATION'],
  mail: DueMail,
): Promise<Letter | null> {
  const { em, shopUrl, contact } = shop
  const user = await findOpen(em, userId)
  const isAsked = user && (email === user.newEmail || (email === user.email && !user.emailVerifiedAt))
  if (!isAsked || (await isTooMany(em, mail))) return null
  const owner = await findOwner(em, emailKey)
  if (owner && owner.id !== user.id) return writeToOwner(shop, owner)
  const token = newToken()
  em.create(EmailConfirmation, { tokenHash: hashOf(token), user, email, mailId: mail.id, createdAt: clock.now() })
  await em.flush()
  return writeLetter(shop, {
    recipient: email,
    subject: 'Confirm your email',
    name: user.name,
    parts: [
      `Someone, hopefully you, gave this address for an account at ${contact.name}.`,
      // In the fragment (`#`), which browsers send to no server, so that it is in no log and no referrer.
      { link: `${shopUrl}/verify-email#${token}`, label: 'Confirm my email' },
      `The link works once, for ${limits.confirmHours} hours, where you are signed in to that account.`,
      'Was it not you? Then there is nothing to do: without you the address is nobody’s.',
    ],
  })
}

const writeToOwner = (shop: Shop, { name, email }: User) =>
  writeLetter(shop, {
    recipient: email,
    subject: 'You have an account already',
    name,
    parts: [
      `Someone, perhaps you, gave this address for another account at ${shop.contact.name}. It belongs to yours, and stays with it: nothing has changed.`,
      { link: `${shop.shopUrl}/login`, label: 'Sign in' },
      `Forgot your password? Choose a new one at ${shop.shopUrl}/forgot-password.`,
      'Was it not you? Then there is nothing to do.',
    ],
  })

const TOLD: Record<
  MailAbout['EMAIL_CHANGE']['state'],
  [subject: string, what: (newEmail: string, when: string, shopName: string) => string]
> = {
  ASKED: [
    'A new email for your account',
    (newEmail, when, shopName) =>
      `On ${when} someone who knows your password asked for ${newEmail} to be the email of your account at ${shopName}. Until that is confirmed there, this address stays.`,
  ],
  DONE: [
    'Your email was changed',
    (newEmail, when, shopName) =>
      `On ${when} the email of your account at ${shopName} was changed to ${newEmail}. You sign in with that one now, and all mail goes there.`,
  ],
  BY_SHOP: [
    'Your email was changed',
    (newEmail, when, shopName) =>
      `On ${when} the shop changed the email of your account at ${shopName} to ${newEmail}. You sign in with that one now, and all mail goes there.`,
  ],
}

/** To the address an account has, or had: about the one that takes its place. */
function writeMovedLetter(
  shop: Shop,
  { name, email, newEmail, state, at, timeZone }: MailAbout['EMAIL_CHANGE'],
): Letter {
  const [subject, what] = TOLD[state]
  return writeLetter(shop, {
    recipient: email,
    subject,
    name,
    parts: [
      what(newEmail, zonedMoment(at, timeZone ?? NO_ZONE), shop.contact.name),
      ...(state === 'ASKED'
        ? [
            'Was it not you? Then choose a new password now, which also calls the change off:',
            { link: `${shop.shopUrl}/forgot-password`, label: 'Choose a new password' },
          ]
        : ['Was it not you? Then please write to the shop at once.']),
    ],
  })
}

export const confirmationMails = {
  EMAIL_CONFIRMATION: writeConfirmationLetter,
  EMAIL_CHANGE: writeMovedLetter,
} satisfies Partial<Templates>
