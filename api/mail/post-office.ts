import type { EventArgs, MikroORM } from '@mikro-orm/postgresql'
import type { Logger } from 'pino'
import type { DeliveryTerms } from '#schema/rules/delivery'
import type { Jobs } from '../jobs/jobs.ts'
import { Mail } from './mail.entity.ts'
import { sendMail } from './send-mail.ts'
import type { ShopContact, Templates } from './template.ts'

/** Where mails go. */
export type MailRoute =
  | { to: 'smtp'; url: string; from: string }
  /** Shown on a page of the shop, for development: anyone who opens it reads everyone's mail. */
  | { to: 'mailbox' }
  /** Nowhere: they are written down and stay unsent. */
  | { to: 'nobody' }

interface PostOffice {
  orm: MikroORM
  jobs: Jobs
  route: MailRoute
  templates: Templates
  shopUrl: string
  contact: ShopContact
  timeZone: string
  delivery: DeliveryTerms
  log: Logger
}

const QUEUE = 'mail'
/** One that was sent is not sent again. */
const LETTERS = { workers: 1, together: 4 }

/** From now on every mail that is written down gets a job in the same transaction, and jobs are done. Returns a function that stops it. A shop that sends no mail has no jobs for it either. */
export async function openPostOffice({ orm, jobs, route, log, ...shop }: PostOffice): Promise<() => void> {
  if (route.to === 'nobody') return () => {}
  // Loaded where it is needed.
  const smtp = route.to === 'smtp' ? (await import('./smtp.ts')).connectSmtp({ ...route, log }) : null
  const carry = smtp ? smtp.send : 'keep'
  await jobs.work<{ id: string }>(QUEUE, ({ id }) => sendMail({ ...shop, em: orm.em.fork(), carry }, id), LETTERS)
  orm.em.getEventManager().registerSubscriber({
    getSubscribedEntities: () => [Mail],
    afterCreate: ({ em, entity }: EventArgs<Mail>) => jobs.add(em as typeof orm.em, QUEUE, { id: entity.id }),
  })
  return () => smtp?.close()
}
