import type { Configuration, EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { clock } from '../kernel/clock.ts'
import { Mail, type MailAbout, type MailKind } from './mail.entity.ts'

/** Of each database whose mails are sent, what has its post office look for them. */
const offices = new WeakMap<Configuration, () => void>()

/** From now on mails are due when they are written down; `look` is called soon after. */
export function sendFrom({ config }: { config: Configuration }, look: () => void): void {
  offices.set(config, look)
}

/** When a mail is due that is written down now: at once, and never in a shop that sends none. */
function dueNow(em: EntityManager, now: Date): Date | null {
  const look = offices.get(em.config)
  look?.()
  return look ? now : null
}

/** Writes a mail down in the caller's unit of work: it is sent when, and only when, that is committed. */
export function queueMail<Kind extends MailKind>(em: EntityManager, kind: Kind, about: MailAbout[Kind]): void {
  const now = clock.now()
  em.create(Mail, { kind, about, createdAt: now, dueAt: dueNow(em, now) })
}

/** As `queueMail`, for a statement of the caller's that writes it down itself. */
export const MAIL =
  '(id, kind, about, created_at, due_at) select ?::uuid, ?::text, ?::jsonb, ?::timestamptz, ?::timestamptz'

/** The values of `MAIL`. */
export function mailValues<Kind extends MailKind>(em: EntityManager, kind: Kind, about: MailAbout[Kind]) {
  const now = clock.now()
  return [v7(), kind, JSON.stringify(about), now, dueNow(em, now)]
}
