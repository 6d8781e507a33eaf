import { formatCents } from '#schema/rules/money'
import type { OrderIncidentCode } from '../generated/types.ts'

/** What each code keeps: as much as its sentence needs, and what distinguishes one incident from the next. Amounts in cents. */
interface IncidentData {
  CAPTURE_MISFIT: { captureId: string; misfit: string }
  PAID_TWICE: { captureId: string }
  PAID_WITHOUT_STOCK: { captureId: string }
  /** `unissued` is what was to be paid for gift cards; of an older incident it is not known, and was nothing. */
  PAID_WITHOUT_GIFT_CARD: { captureId: string; missing: number; unissued?: number }
  LOTS_CHANGED: { captureId: string; name: string; ordered: string; taken: string }
  PAID_AFTER_CANCELLING: { captureId: string }
  PAYMENT_NOT_OPENED: { paypalOrderId: string }
  CAPTURE_DECLINED: { captureId: string }
  REFUND_UNREADABLE: { paypalRefundId: string }
  REFUND_UNKNOWN: { refundId: string; amount: number }
  MONEY_TAKEN_BACK: { paypalRefundId: string; amount: number }
  NOTED: { text: string }
}

export type Incident = { [Code in OrderIncidentCode]: { code: Code; data: IncidentData[Code] } }[OrderIncidentCode]

/** What happened, and what to do about it. */
export function incidentMessage({ code, data }: Incident): string {
  switch (code) {
    case 'CAPTURE_MISFIT':
      return `PayPal capture ${data.captureId} ${data.misfit}. Check it at PayPal and refund it if need be.`
    case 'PAID_TWICE':
      return `Paid a second time by PayPal capture ${data.captureId}. Refund one of the two.`
    case 'PAID_WITHOUT_STOCK':
      return 'Paid after its hold had lapsed, and the stock is gone. Restock or refund.'
    case 'PAID_WITHOUT_GIFT_CARD':
      return `Paid after its hold had lapsed, and its gift cards have been used elsewhere since: ${formatCents(data.missing)} of it was not paid. Ask for that, or refund what was paid.${data.unissued ? ' The gift cards it is for were not made.' : ''}`
    case 'LOTS_CHANGED':
      return `Paid after its hold had lapsed: of “${data.name}”, ${data.ordered} had gone to others. It has ${data.taken || 'no lot'} now: ask whether that will do.`
    case 'PAID_AFTER_CANCELLING':
      return 'Paid although its shopper had cancelled it. Ask whether to deliver or to refund it.'
    case 'PAYMENT_NOT_OPENED':
      return `PayPal reports payment ${data.paypalOrderId} for this order, which the shop did not open. Check it at PayPal and refund it if need be.`
    case 'CAPTURE_DECLINED':
      return `PayPal declined capture ${data.captureId} after review: nothing was paid. The shopper can pay again.`
    case 'REFUND_UNREADABLE':
      return `PayPal reports refund ${data.paypalRefundId} over an amount that cannot be read. Check it at PayPal.`
    case 'REFUND_UNKNOWN':
      return `PayPal knows of no refund of ${formatCents(data.amount)} that was asked for. Check it at PayPal and refund it again if need be.`
    case 'MONEY_TAKEN_BACK':
      return `PayPal took ${formatCents(data.amount)} of this order back, as after a dispute. Check it at PayPal.`
    case 'NOTED':
      return data.text
  }
}
