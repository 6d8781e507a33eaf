import type { EntityManager } from '@mikro-orm/postgresql'
import { clock } from '../kernel/clock.ts'
import { read, write } from '../query/read.ts'
import type { Shop, Templates } from './template.ts'
import { Mail, type DueMail } from './mail.entity.ts'
import type { Smtp } from './smtp.ts'

export interface Sending extends Shop {
  templates: Templates
  /** Hands a letter to the mail server, or it is kept for the mailbox page. */
  carry: Smtp['send'] | 'keep'
}

/**
 * Writes and sends one mail, once. Only a crash between the mail server's yes and the note of it sends it again, under
 * the same Message-ID. Throws when the mail server cannot take it now.
 */
export async function sendMail({ templates, carry, ...shop }: Sending, id: string): Promise<void> {
  const { em } = shop
  const [mail] = await read<DueMail>(em, 'select id, kind, about from mails where id = ? and sent_at is null', [id])
  if (!mail) return
  const letter = await templates[mail.kind](shop, mail.about as never, mail)
  // No recipient: nothing has to be kept, either.
  if (!letter || (carry !== 'keep' && !(await carry(id, letter)))) return void (await em.nativeDelete(Mail, { id }))
  const { recipient, subject, text, html } = letter
  const kept = carry === 'keep' ? [recipient, subject, text, html] : [null, null, null, null]
  await write(em, 'update mails set recipient = ?, subject = ?, text = ?, html = ?, sent_at = ? where id = ?', [
    ...kept,
    clock.now(),
    id,
  ])
}

const KEPT_DAYS = 30

/** Forgets mails after a month, whatever became of them: who wrote to whom about what is nobody's business for ever. */
export async function forgetMails(em: EntityManager): Promise<void> {
  await em.nativeDelete(Mail, { createdAt: { $lt: new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000) } })
}
