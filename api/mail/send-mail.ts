import type { EntityManager } from '@mikro-orm/postgresql'
import type { Logger } from 'pino'
import { before } from '../kernel/before.ts'
import { clock } from '../kernel/clock.ts'
import { batched, type Load } from '../query/batch.ts'
import { write } from '../query/read.ts'
import type { Letter, Shop, Templates } from './template.ts'
import { Mail, type DueMail } from './mail.entity.ts'
import type { Smtp } from './smtp.ts'

export interface Sending extends Omit<Shop, 'em' | 'reader'> {
  newEm: () => EntityManager
  templates: Templates
  /** Hands a letter to the mail server, or it is kept for the mailbox page. */
  carry: Smtp['send'] | 'keep'
  log: Logger
}

/** As long as a process has what it took, which is more than the mail server may take: then another one takes it. */
const LEASE = '1 minute'
/** A server that goes on answering, but says neither yes nor no, is given up. */
const CARRY_MS = 45_000
/** A mail waits as long again as it has waited already before it is tried again, within these bounds. */
const [SHORTEST, LONGEST] = ['10 seconds', '4 hours']
const TRIED = '3 days'

/** Writes and sends mails that are due, so many at most. Processes skip each other's. Returns how many there were. */
export async function sendMails(sending: Sending, most: number): Promise<number> {
  const reader = sending.newEm()
  const now = clock.now()
  const due = await write<DueMail>(
    reader,
    `update mails set due_at = ?::timestamptz + interval '${LEASE}' where id = any(array(
       select id from mails where due_at <= ? order by due_at limit ? for update skip locked)) returning id, kind, about`,
    [now, now, most],
  )
  await Promise.allSettled(
    due.map(mail =>
      sendMail(sending, reader, mail).catch(async (error: { name: string; code?: string }) => {
        sending.log.warn({ mail: mail.id, reason: error.code ?? error.name }, 'A mail was not sent')
        await write(
          reader,
          `update mails set due_at = case when created_at > ?::timestamptz - interval '${TRIED}'
             then ?::timestamptz + greatest(interval '${SHORTEST}', least(interval '${LONGEST}', ?::timestamptz - created_at)) end
           where id = ? and sent_at is null`,
          [now, now, now, mail.id],
        )
      }),
    ),
  )
  return due.length
}

/**
 * Writes and sends one mail, once. Only a crash between the mail server's yes and the note of it sends it again, under
 * the same Message-ID. Throws when the mail server cannot take it now.
 */
async function sendMail(
  { templates, carry, newEm, log: _, ...shop }: Sending,
  reader: EntityManager,
  mail: DueMail,
): Promise<void> {
  const { id, kind, about } = mail
  const letter = await templates[kind]({ ...shop, em: newEm(), reader }, about as never, mail)
  // No recipient: nothing has to be kept, either.
  if (!letter || (carry !== 'keep' && !(await before(AbortSignal.timeout(CARRY_MS), carry(id, letter)))))
    return void (await newEm().nativeDelete(Mail, { id }))
  await batched(reader, noteSent, { id, letter: carry === 'keep' ? letter : null })
}

interface Sent {
  id: string
  /** Kept only where a mailbox page shows it. */
  letter: Letter | null
}

/** Those that are sent at the same moment, in one statement. */
const noteSent: Load<Sent, void> = async (em, sent) => {
  const rows = sent.map(({ id, letter }) => ({ id, ...letter }))
  await write(
    em,
    `update mails m set recipient = s.recipient, subject = s.subject, text = s.text, html = s.html, sent_at = ?, due_at = null
     from jsonb_to_recordset(?::jsonb) as s(id uuid, recipient text, subject text, text text, html text) where m.id = s.id`,
    [clock.now(), JSON.stringify(rows)],
  )
  return sent.map(() => {})
}

/** Has a mail sent that was to be a job: processes of the version before write them down so. */
export const sendLater = (em: EntityManager, id: string) =>
  write(em, 'update mails set due_at = ? where id = ? and due_at is null and sent_at is null', [clock.now(), id])

const KEPT_DAYS = 30

/** Forgets mails after a month, whatever became of them: who wrote to whom about what is nobody's business for ever. */
export async function forgetMails(em: EntityManager): Promise<void> {
  await em.nativeDelete(Mail, { createdAt: { $lt: new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000) } })
}
