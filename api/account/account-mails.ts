import { zonedMoment } from '#schema/rules/time-zone'
import type { MailAbout } from '../mail/mail.entity.ts'
import { NO_ZONE, writeLetter, type Letter, type Shop, type Templates } from '../mail/template.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
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
      `Your account at Skein was deleted on ${zonedMoment(at, timeZone ?? NO_ZONE)}, as you asked. Everyone who was signed in to it is signed out.`,
      'Your name, addresses, stash and notices are gone, and no newsletter will come. Your reviews stay without your name. Of what you paid for, our books keep the figures; who it went to stands on the invoice alone, for as long as the law asks.',
      'Was it not you? Then please write to us at once: what is gone cannot be brought back, but we want to know.',
    ],
  })

export const accountMails = { ACCOUNT_DELETED: writeDeletedLetter } satisfies Partial<Templates>
