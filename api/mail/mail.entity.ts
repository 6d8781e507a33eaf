import { defineEntity, p } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { clock } from '../kernel/clock.ts'

/** What each kind of mail is about: as little as its letter can be written from. */
export interface MailAbout {
  /** Whether there is an account with this email is found out when the mail is sent, not while a visitor waits. */
  PASSWORD_RESET: { emailKey: string; fromKnownDevice: boolean }
  /** Goes to the address the account had. */
  PASSWORD_CHANGED: { name: string; email: string; at: string }
  /** Goes to the address the account has at that time. */
  SECOND_FACTOR_CHANGED: {
    name: string
    email: string
    at: string
    change: 'ON' | 'OFF' | 'RESET' | 'NEW_CODES' | 'CODE_USED'
  }
  /** A link to confirm an address an account claims; or a word to the account that has it. */
  EMAIL_CONFIRMATION: { userId: string; email: string; emailKey: string }
  /** Goes to the address the account has, or had. */
  EMAIL_CHANGE: { name: string; email: string; newEmail: string; state: 'ASKED' | 'DONE' | 'BY_SHOP'; at: string }
  ORDER_PLACED: { orderId: string }
  ORDER_PAID: { orderId: string }
  ORDER_DELIVERED: { orderId: string }
}

export type MailKind = keyof MailAbout

const MailSchema = defineEntity({
  name: 'Mail',
  tableName: 'mails',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    kind: p.text().$type<MailKind>(),
    about: p.json<MailAbout[MailKind]>(),
    createdAt: p.datetime().onCreate(() => clock.now()),
    sentAt: p.datetime().nullable(),
    /** This and what follows is kept only where a mailbox page shows mails; a mail server gets them and they are forgotten. */
    recipient: p.text().nullable(),
    subject: p.text().nullable(),
    text: p.text().nullable(),
    html: p.text().nullable(),
  },
})

/** A mail on its way. Written in the transaction of its cause; see post-office.ts. */
export class Mail extends MailSchema.class {}
MailSchema.setClass(Mail)
