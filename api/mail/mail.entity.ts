import { defineEntity, p } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { clock } from '../kernel/clock.ts'

/** What each kind of mail is about: as little as it can be written from. The domains add theirs beside its template. */
export interface MailAbout {}

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
    /** When it is sent, or tried again. Null when nothing more is done about it, and in a shop that sends no mail. */
    dueAt: p.datetime().nullable(),
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

/** One that is to be written and sent. */
export type DueMail = Pick<Mail, 'id' | 'kind' | 'about'>
