import type { EntityManager } from '@mikro-orm/postgresql'
import { Mail, type MailAbout, type MailKind } from './mail.entity.ts'

/** Writes a mail down in the caller's unit of work: it is sent when, and only when, that is committed. */
export function queueMail<Kind extends MailKind>(em: EntityManager, kind: Kind, about: MailAbout[Kind]): void {
  em.create(Mail, { kind, about })
}
