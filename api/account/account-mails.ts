import { zonedMoment } from '#schema/rules/time-zone'
import type { MailAbout } from '../mail/mail.entity.ts'
import { NO_ZONE, writeLetter, type Letter, type Shop, type Templates } from '../mail/template.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
    /** Goes to the address the account has at that time. */
    IDENTITY_CHANGED: {
      name: string
      email: string
      provider: string
      isLinked: boolean
      at: string
      timeZone?: string | null
    }
    /** Goes to the address of who is invited to work in the shop. */
    INVITATION: { name: string; email: string; invitedBy: string }
    /** Goes to the address the account had. */
    ACCOUNT_DELETED: { name: string; email: string; at: string; timeZone?: string | null }
  }
}

const writeDeletedLetter = (shop: Shop, { name, email, at, timeZone }: MailAbout['ACCOUNT_DELETED']): Letter =>
  writeLetter(shop, {
    recipient: email,
    subject: 'Your account is deleted',
    name,
    parts: [
      `Your account at ${shop.contact.name} was deleted on ${zonedMoment(at, timeZone ?? NO_ZONE)}, as you asked. Everyone who was signed in to it is signed out.`,
      'Your name, addresses, stash and notices are gone, and no newsletter will come. Your reviews stay without your name. Of what you paid for, our books keep the figures; who it went to stands on the invoice alone, for as long as the law asks.',
      'Was it not you? Then please write to us at once: what is gone cannot be brought back, but we want to know.',
    ],
  })

function writeIdentityLetter(
  shop: Shop,
  { name, email, provider, isLinked, at, timeZone }: MailAbout['IDENTITY_CHANGED'],
): Letter {
  const when = zonedMoment(at, timeZone ?? NO_ZONE)
  return writeLetter(shop, {
    recipient: email,
    subject: isLinked ? `${provider} opens your account now` : `${provider} opens your account no more`,
    name,
    parts: [
      isLinked
        ? `Since ${when}, you can sign in to your account at ${shop.contact.name} with ${provider}. Your profile is where you take that back.`
        : `Since ${when}, your account at ${shop.contact.name} cannot be opened with ${provider} any more.`,
      'Was it not you? Then choose a new password now, and look into your profile:',
      { link: `${shop.shopUrl}/forgot-password`, label: 'Choose a new password' },
    ],
  })
}

const writeInvitation = (shop: Shop, { name, email, invitedBy }: MailAbout['INVITATION']): Letter =>
  writeLetter(shop, {
    recipient: email,
    subject: `You work at ${shop.contact.name} now`,
    name,
    parts: [
      `${invitedBy} has opened an account for you, to help run ${shop.contact.name}.`,
      'It has no password yet. Ask for a link to choose one, with this address:',
      { link: `${shop.shopUrl}/forgot-password?redirect=admin`, label: 'Choose a password' },
      'Then sign in, and you are among the shop’s own pages.',
      'Do you not know what this is about? Then there is nothing to do: without a password the account opens for nobody.',
    ],
  })

export const accountMails = {
  INVITATION: writeInvitation,
  ACCOUNT_DELETED: writeDeletedLetter,
  IDENTITY_CHANGED: writeIdentityLetter,
} satisfies Partial<Templates>
