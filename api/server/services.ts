import { present } from '#schema/rules/present'
import { accountMails } from '../account/account-mails.ts'
import { confirmationMails } from '../account/confirmation-mails.ts'
import { passwordMails } from '../account/password-mails.ts'
import { secondFactorMails } from '../account/second-factor-mail.ts'
import { contactMails } from '../page/contact-mails.ts'
import { bellMails } from '../bell/bell-mails.ts'
import { newsletterMails } from '../newsletter/newsletter-mails.ts'
import { fulfilmentMails } from '../fulfilment/fulfilment-mails.ts'
import { giftCardMails } from '../gift-card/gift-card-mails.ts'
import { orderMails } from '../order/order-mails.ts'
import { ownerMails } from '../order/owner-mails.ts'
import { refundMails } from '../payment/refund-mails.ts'
import { codeThrottle } from '../account/second-factor-throttle.ts'
import {
  cartThrottle,
  exportThrottle,
  guestThrottle,
  loginThrottle,
  mailThrottle,
  proofThrottle,
  providerThrottle,
  registerThrottle,
} from '../account/throttle.ts'
import { FacetIndex } from '../catalog/search/facet-index.ts'
import { openSearchLog } from '../catalog/search/search-log.ts'
import type { Services } from '../context.ts'
import { connectReplicas } from '../db/config.ts'
import type { EventType } from '../generated/types.ts'
import { listenForEvents } from '../event/listen.ts'
import { openProcesses } from '../event/processes.ts'
import { TAGS } from '../graphql/note-sources.ts'
import { sharedAnswers } from '../graphql/response-cache.ts'
import { startJobs } from '../jobs/jobs.ts'
import { openPostOffice } from '../mail/post-office.ts'
import type { Templates } from '../mail/template.ts'
import { openKeyUses } from '../partner/count-uses.ts'
import { sharedData } from '../http/page-data.ts'
import { sharedPages } from '../http/web.ts'
import type { Settings } from './settings.ts'

/** Events whose only public effect is the stock that moves, which is announced by itself. */
const UNSHOWN = /^(?:ORDER_|CUSTOMER_|STOCK_)/
/** What a change makes untrue beside what shows the product it is about; any other one makes everything untrue. */
const UNTRUE_BY: Partial<Record<EventType, readonly string[]>> = {
  PRODUCT_CHANGED: [TAGS.PRODUCTS, TAGS.ALL],
  REVIEW_CHANGED: [TAGS.REVIEWS, TAGS.ALL],
}

/** How every kind of mail is written. */
const TEMPLATES: Templates = {
  ...passwordMails,
  ...accountMails,
  ...confirmationMails,
  ...secondFactorMails,
  ...orderMails,
  ...giftCardMails,
  ...ownerMails,
  ...refundMails,
  ...fulfilmentMails,
  ...newsletterMails,
  ...bellMails,
  ...contactMails,
}

/** What resolvers get of the shop, and what pages and answers are kept in. */
export async function openServices(settings: Settings) {
  const { orm, shopUrl, log, keepAnswersMs, timeZone, holdLimits, mail, contact, delivery, returnDays } = settings
  const jobs = await startJobs(orm, log)
  const events = await listenForEvents(present(orm.config.get('clientUrl')), log)
  const replicas = await connectReplicas(orm, settings.replicaUrls, () => events.id() !== null, log)
  const closePostOffice = await openPostOffice({
    orm,
    jobs,
    templates: TEMPLATES,
    route: mail,
    shopUrl,
    timeZone,
    contact,
    delivery,
    log,
  })
  const answers = sharedAnswers(keepAnswersMs)
  // Pages cost more to make than answers, so they are kept longer.
  const pages = sharedPages(keepAnswersMs * 2)
  const data = sharedData(keepAnswersMs)
  const caches = { answers, pages, data }
  const dropShown = () => {
    for (const cache of Object.values(caches)) cache.forget()
  }
  const dropTagged = (tags: readonly string[]) => {
    for (const cache of Object.values(caches)) cache.forgetTagged(tags)
  }
  const heard = () => replicas?.heard()
  events.on({ happened: heard, stockMoved: heard, missed: heard })
  events.on({
    happened: ({ type, productId }) => {
      if (UNSHOWN.test(type)) return
      const untrue = UNTRUE_BY[type]
      // A process of an older version does not say which product it is.
      if (untrue && productId) dropTagged([productId, ...untrue])
      else dropShown()
    },
    stockMoved: productId => (productId === null ? dropShown() : dropTagged([productId, TAGS.ALL])),
    missed: dropShown,
  })
  // As long as a page and what it shows are kept: a process that does not answer by then no longer shows anything older.
  const processes = openProcesses(events, { onChange: dropShown, onTold: heard, patienceMs: keepAnswersMs * 3 })
  const forgetShown = () => {
    heard()
    dropShown()
    return processes.heard(true)
  }
  const services: Services = {
    policy: settings.policy,
    pageSize: settings.pageSize,
    stockHoldMinutes: settings.stockHoldMinutes,
    paypal: settings.paypal,
    paypalConfig: settings.paypalConfig,
    paypalWebhook: settings.paypalWebhook,
    webhookReach: settings.webhookReach,
    log,
    timeZone,
    holdLimits,
    uploads: settings.files,
    jobs,
    events,
    replicas,
    forgetShown,
    eventsHeard: () => {
      heard()
      return processes.heard(false)
    },
    mailTo: mail.to,
    loginThrottle: loginThrottle(orm),
    resetThrottle: mailThrottle(orm, 'reset'),
    newsletterThrottle: mailThrottle(orm, 'newsletter'),
    bellThrottle: mailThrottle(orm, 'bell'),
    messageThrottle: mailThrottle(orm, 'message'),
    contact,
    publicUrl: settings.onlyOwnHost ? shopUrl : null,
    delivery,
    returnDays,
    invoiceYears: settings.invoiceYears,
    registerThrottle: registerThrottle(orm),
    providers: settings.providers,
    providerThrottle: providerThrottle(orm),
    guestThrottle: guestThrottle(orm),
    cartThrottle: cartThrottle(orm),
    proofThrottle: proofThrottle(orm),
    exportThrottle: exportThrottle(orm),
    codeThrottle: codeThrottle(orm),
    searchLog: openSearchLog(),
    keyUses: openKeyUses(),
    facetIndex: new FacetIndex(),
  }
  return { services, processes, caches, closePostOffice }
}
