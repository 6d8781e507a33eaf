import type { MikroORM } from '@mikro-orm/postgresql'
import type { Logger } from 'pino'
import type { DeliveryTerms } from '#schema/rules/delivery'
import type { Jobs } from '../jobs/jobs.ts'
import { before } from '../kernel/before.ts'
import { sendFrom } from './queue-mail.ts'
import { sendLater, sendMails } from './send-mail.ts'
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
/** How many letters are written at a time: to a mail server there is a connection for each. */
const TOGETHER = { smtp: 4, mailbox: 16 }
/** After this long mails are sent that another process wrote down, or that are to be tried again. */
const SWEEP_MS = 1_000
/** How long letters in hand may take when the shop closes; those that were not sent by then are sent by the next process. */
const STOP_MS = 10_000
/** Started after the answer was sent, so that its time does not tell whether a mail was queued. */
const SOON_MS = 100

/**
 * From now on mails are due when they are written down, and sent by whichever process comes first. Returns a function that
 * stops it, when those in hand are sent. A shop that sends no mail has none that are due, either.
 */
export async function openPostOffice({ orm, jobs, route, log, ...shop }: PostOffice): Promise<() => Promise<void>> {
  if (route.to === 'nobody') return async () => {}
  // Loaded where it is needed.
  const smtp = route.to === 'smtp' ? (await import('./smtp.ts')).connectSmtp({ ...route, log }) : null
  const newEm = () => orm.em.fork()
  const sending = { ...shop, newEm, carry: smtp ? smtp.send : ('keep' as const), log }
  const most = TOGETHER[route.to]
  let running: Promise<void> | null = null
  let again = false
  const closing = new AbortController()
  async function send() {
    do {
      again = false
      while ((await sendMails(sending, most)) === most && !closing.signal.aborted);
    } while (again && !closing.signal.aborted)
  }
  const look = () => {
    again = true
    running ??= send()
      .catch(error => log.warn(error, 'Mails cannot be sent at the moment'))
      .finally(() => {
        running = null
      })
  }
  let soon: NodeJS.Timeout | null = null
  sendFrom(orm, () => {
    soon ??= setTimeout(() => {
      soon = null
      look()
    }, SOON_MS).unref()
  })
  const sweep = setInterval(look, SWEEP_MS)
  await jobs.work<{ id: string }>(QUEUE, async ({ id }) => void (await sendLater(newEm(), id)), { workers: 1 })
  return async () => {
    closing.abort()
    clearInterval(sweep)
    if (soon) clearTimeout(soon)
    await before(AbortSignal.timeout(STOP_MS), Promise.resolve(running)).catch(() => {})
    smtp?.close()
  }
}
