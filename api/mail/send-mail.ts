import type { EntityManager } from '@mikro-orm/postgresql'
import { writeConfirmationLetter, writeMovedLetter } from '../account/confirmation-mails.ts'
import { writeChangedLetter, writeResetLetter } from '../account/password-mails.ts'
import { writeSecondFactorLetter } from '../account/second-factor-mail.ts'
import { clock } from '../kernel/clock.ts'
import { writeOrderLetter } from '../order/order-mails.ts'
import type { Letter } from './template.ts'
import { Mail, type MailAbout } from './mail.entity.ts'
import type { Smtp } from './smtp.ts'

export interface Sending {
  em: EntityManager
  /** Hands a letter to the mail server, or it is kept for the mailbox page. */
  carry: Smtp['send'] | 'keep'
  shopUrl: string
  timeZone: string
}

/**
 * Writes and sends one mail, once. Only a crash between the mail server's yes and the note of it sends it again, under
 * the same Message-ID. Throws when the mail server cannot take it now.
 */
export async function sendMail({ em, carry, ...shop }: Sending, id: string): Promise<void> {
  const mail = await em.findOne(Mail, { id, sentAt: null })
  if (!mail) return
  const letter = await writeFor(mail, { em, ...shop })
  // Nobody to write to: nothing to remember either.
  if (!letter) return em.remove(mail).flush()
  if (carry === 'keep') em.assign(mail, letter)
  else if (!(await carry(id, letter))) return em.remove(mail).flush()
  mail.sentAt = clock.now()
  await em.flush()
}

function writeFor(mail: Mail, shop: Pick<Sending, 'em' | 'shopUrl' | 'timeZone'>): Promise<Letter | null> | Letter {
  const { kind, about } = mail
  switch (kind) {
    case 'PASSWORD_RESET':
      return writeResetLetter(shop, mail, about as MailAbout['PASSWORD_RESET'])
    case 'PASSWORD_CHANGED':
      return writeChangedLetter(shop, about as MailAbout['PASSWORD_CHANGED'])
    case 'SECOND_FACTOR_CHANGED':
      return writeSecondFactorLetter(shop, about as MailAbout['SECOND_FACTOR_CHANGED'])
    case 'EMAIL_CONFIRMATION':
      return writeConfirmationLetter(shop, mail, about as MailAbout['EMAIL_CONFIRMATION'])
    case 'EMAIL_CHANGE':
      return writeMovedLetter(shop, about as MailAbout['EMAIL_CHANGE'])
    default:
      return writeOrderLetter(shop, kind, about as MailAbout[typeof kind])
  }
}

const KEPT_DAYS = 30

/** Forgets mails after a month, whatever became of them: who wrote to whom about what is nobody's business for ever. */
export async function forgetMails(em: EntityManager): Promise<void> {
  await em.nativeDelete(Mail, { createdAt: { $lt: new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000) } })
}
