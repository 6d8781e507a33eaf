// What the shop says of PayPal, in its own words and whole cents. Only connect-paypal.ts and its parts know PayPal's JSON.
import type { Cents } from '#schema/rules/money'
import type { Prices } from '#schema/rules/pricing'

/** What the shop needs to know of a PayPal order, in its own words. */
export interface PaypalPayment {
  id: string
  status: 'CREATED' | 'APPROVED' | 'COMPLETED' | (string & {})
  /** What is to be paid. */
  currency: string
  /** Null when PayPal's figure cannot be read as whole cents. */
  amount: Cents | null
  /** Our order id, from custom_id (or invoice_id). */
  orderId: string | null
  /** The PayPal account it pays, when that is known not to be the shop's. */
  otherPayee: string | null
  /** Whether it is known to pay the shop's own account. */
  paysUs: boolean
  /** When it last changed, for example by the buyer's approval. Null when PayPal does not say. */
  updatedAt: Date | null
  capture: PaypalCapture | null
  /** What went back of it. */
  refunds: PaypalRefund[]
}

/** Money that moved, or is about to. */
export interface PaypalCapture {
  id: string
  status: 'COMPLETED' | 'PENDING' | 'DECLINED' | (string & {})
  currency: string
  /** Null when PayPal's figure cannot be read as whole cents. */
  amount: Cents | null
  orderId: string | null
}

/** Money that went back, or is about to. */
export interface PaypalRefund {
  id: string
  status: 'COMPLETED' | 'PENDING' | 'FAILED' | 'CANCELLED' | (string & {})
  currency: string
  /** Null when PayPal's figure cannot be read as whole cents. */
  amount: Cents | null
  /** Our refund's id, when we asked for it. */
  reference: string | null
}

/** Something PayPal reports unasked. */
export interface PaypalEvent {
  id: string
  /** For example PAYMENT.CAPTURE.COMPLETED. */
  type: string
  /** Null when the event does not say. */
  createdAt: Date | null
  /** Our order id, when the event carries it. */
  orderId: string | null
  paypalOrderId: string | null
  /** The capture it is about, or that its refund is of. */
  captureId: string | null
  /** With events about refunds. */
  refund: PaypalRefund | null
}

export interface Paypal {
  /** `reference` is the number people see, e.g. "#10042". */
  createOrder(input: NewPaypalOrder): Promise<PaypalPayment>
  /** Null when PayPal does not know it. */
  getOrder(id: string): Promise<PaypalPayment | null>
  captureOrder(id: string, requestId: string): Promise<PaypalPayment>
  /** Sends money of a capture back. */
  refundCapture(captureId: string, input: NewPaypalRefund): Promise<PaypalRefund>
}

export interface NewPaypalRefund {
  /** Our refund's id: PayPal keeps it with the refund. */
  refundId: string
  amount: Cents
  /** What the shopper reads at PayPal. */
  note: string | null
  /** The same id makes PayPal answer with the same refund instead of a second one. */
  requestId: string
}

export interface NewPaypalOrder {
  orderId: string
  reference: string
  amount: Cents
  /** What the amount is made of, as the buyer is shown it; none when only the amount is known. */
  parts?: Pick<Prices, 'itemsPrice' | 'discount' | 'shippingPrice' | 'taxPrice'> & { giftCardAmount: Cents }
  /** The same id makes PayPal answer with the same order instead of a second one. */
  requestId: string
}

/** PayPal said no: 4xx with an issue, e.g. INSTRUMENT_DECLINED. */
export class PaypalRefused extends Error {
  readonly issue: string
  readonly status: number
  readonly debugId: string | undefined

  constructor(issue: string, status: number, debugId?: string) {
    super(`PayPal refused: ${issue}`)
    this.name = 'PaypalRefused'
    this.issue = issue
    this.status = status
    this.debugId = debugId
  }
}

/** No usable answer: network, timeout, 5xx, 429 after retries, nonsense JSON. What PayPal did is unknown. */
export class PaypalUnavailable extends Error {
  override name = 'PaypalUnavailable'
}
