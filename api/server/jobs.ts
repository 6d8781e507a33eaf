import { originalsIn } from '../catalog/pictures.ts'
import { forgetConfirmations } from '../account/confirm-email.ts'
import { forgetTickets } from '../account/provider-routes.ts'
import { forgetExports } from '../account/export-account.ts'
import { forgetBellLinks } from '../bell/ask-for-bell.ts'
import { ringBells } from '../bell/ring-bells.ts'
import { forgetNewsletterLinks } from '../newsletter/subscribe.ts'
import { sweepExports } from '../export/manage-exports.ts'
import { EXPORT_QUEUE, writeExport, type Writing } from '../export/write-export.ts'
import { forgetResets } from '../account/reset-password.ts'
import { forgetCarts } from '../cart/forget-carts.ts'
import { forgetTries } from '../account/throttle.ts'
import { addUpSales } from '../dashboard/sales.ts'
import { addUpTallies } from '../query/tallies.ts'
import { forgetAnswers } from '../catalog/answer-once.ts'
import { countSales } from '../catalog/count-sales.ts'
import { forgetWords } from '../catalog/search/forget-words.ts'
import { forgetSearches } from '../catalog/search/search-log.ts'
import { sweepDownloads } from '../download/download-files.ts'
import { FETCH_QUEUE, fetchPictures, type Fetch } from '../catalog/import/fetch-pictures.ts'
import { COLOURS_QUEUE, LOOK_MS, seeColours, seeColoursLater, type Look } from '../catalog/see-colours.ts'
import { turnAllSales } from '../catalog/turn-sales.ts'
import { discardUnused, DISCARD_QUEUE, sweepUploads, type Discard } from '../catalog/uploads.ts'
import type { Context, Services } from '../context.ts'
import { forgetEvents } from '../event/relay-events.ts'
import { forgetMails } from '../mail/send-mail.ts'
import { forgetRecipients } from '../order/forget-buyer.ts'
import { tellExpected } from '../order/tell-expected.ts'
import { lapseOrders } from '../order/lapse-orders.ts'
import { reconcilePayments } from '../payment/reconcile.ts'
import { forgetUses } from '../partner/count-uses.ts'
import { schema } from '../schema.ts'
import {
  deliverEvents,
  deliverWhatWaits,
  WEBHOOK_QUEUE,
  WEBHOOKS_AT_ONCE,
  type Turn,
} from '../webhook/deliver-events.ts'
import { forgetDeliveries } from '../webhook/forget-deliveries.ts'
import type { Settings } from './settings.ts'

const SWEEP_SECONDS = 15
const SALES_TURN_SECONDS = 5
const UPLOADS_SECONDS = 5 * 60
const SALES_SECONDS = 60 * 60
const WORDS_SECONDS = 6 * 60 * 60

/** Jobs that any process may do. */
export async function takeJobs(
  services: Services,
  { orm, longestMs }: Settings,
  newContext: () => Context,
): Promise<void> {
  const { jobs, uploads } = services
  await jobs.work<Turn>(WEBHOOK_QUEUE, turn => deliverEvents({ ...services, newEm: () => orm.em.fork() }, turn), {
    workers: WEBHOOKS_AT_ONCE,
  })
  await jobs.work<Look>(
    COLOURS_QUEUE,
    async look => {
      const em = orm.em.fork()
      const left = await seeColours(em, originalsIn(uploads), look, LOOK_MS)
      if (left) await seeColoursLater(jobs, em, left)
    },
    { workers: 1 },
  )
  await jobs.work<Fetch>(FETCH_QUEUE, fetch => fetchPictures({ ...services, em: orm.em.fork() }, fetch), { workers: 1 })
  const desk = { schema, longestMs, files: uploads, newContext, jobs }
  await jobs.work<Writing>(EXPORT_QUEUE, writing => writeExport(desk, writing))
  await jobs.work<Discard>(DISCARD_QUEUE, ({ images }) => discardUnused(orm.em.fork(), uploads, images), {
    workers: 1,
  })
}

/** Work that no request triggers. */
export async function sweepAgainAndAgain(services: Services, { orm }: Settings): Promise<void> {
  const { jobs, uploads } = services
  const em = () => orm.em.fork()
  const forgetWhatIsOver = () =>
    Promise.all([
      forgetAnswers(em()),
      forgetMails(em()),
      forgetResets(em()),
      forgetConfirmations(em()),
      forgetNewsletterLinks(em()),
      forgetBellLinks(em()),
      forgetRecipients(em()),
      forgetExports(em()),
      forgetTickets(em()),
      forgetTries(orm),
      forgetSearches(em()),
      forgetUses(em()),
      forgetCarts(em()),
    ])
  await jobs.repeat('reconcile-payments', SWEEP_SECONDS, () => reconcilePayments({ ...services, em: em() }))
  await jobs.repeat('release-lapsed-orders', SWEEP_SECONDS, () => lapseOrders(em()))
  await jobs.repeat('turn-sales', SALES_TURN_SECONDS, () => turnAllSales(em()))
  await jobs.repeat('tell-what-is-back', SWEEP_SECONDS, () => ringBells(em()))
  await jobs.repeat('tell-new-days-of-pre-orders', SWEEP_SECONDS, () => tellExpected(em()))
  await jobs.repeat('send-what-waits-for-webhooks', SWEEP_SECONDS, () => deliverWhatWaits(em(), jobs))
  await jobs.repeat('forget-old-events', SWEEP_SECONDS, () => forgetEvents(em()))
  await jobs.repeat('forget-old-webhook-deliveries', SWEEP_SECONDS, () => forgetDeliveries(em()))
  await jobs.repeat('forget-what-is-over', SWEEP_SECONDS, forgetWhatIsOver)
  await jobs.repeat('add-up-figures', SWEEP_SECONDS, () => Promise.all([addUpSales(em()), addUpTallies(em())]))
  await jobs.repeat('count-what-sells-best', SALES_SECONDS, () => countSales(em()))
  await jobs.repeat('forget-words-of-no-product', WORDS_SECONDS, () => forgetWords(em()))
  await jobs.repeat('clear-away-old-exports', UPLOADS_SECONDS, () => sweepExports(em(), uploads))
  await jobs.repeat('clear-away-unused-downloads', UPLOADS_SECONDS, () => sweepDownloads(em(), uploads))
  await jobs.repeat('clear-away-unused-uploads', UPLOADS_SECONDS, () => sweepUploads(em(), uploads))
}
