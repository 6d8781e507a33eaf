// The simulator's memory: PayPal orders and what may happen to them. It knows nothing about HTTP.
import { randomBytes } from 'node:crypto'
import { CURRENCIES } from '#schema/rules/currency'
import { fromDecimal, toDecimal, type Cents } from '#schema/rules/money'
import { refusal, type Refusal } from './errors.ts'

export type FundingSource = 'paypal' | 'card'

export interface Amount {
  currency_code: string
  value: string
}

export interface SimulatedOrder {
  id: string
  status: 'CREATED' | 'APPROVED' | 'COMPLETED'
  referenceId: string
  description: string
  brandName: string
  /** The account that is paid. */
  merchantId: string
  customId?: string
  invoiceId?: string
  amount: Amount
  createTime: string
  updateTime: string
  fundingSource: FundingSource | null
  /** The buyer chose the way to pay that the bank will refuse. */
  willDecline: boolean
  /** How often the bank refused so far. */
  declines: number
  capture: SimulatedCapture | null
  /** PayPal-Request-Id of the call that made it. */
  createdBy: string | null
  /** The results of capture calls by PayPal-Request-Id: the same id gets the same answer. Null means it succeeded. */
  captureCalls: Map<string, Refusal | null>
}

export interface SimulatedCapture {
  id: string
  status: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED'
  amount: Amount
  customId?: string
  invoiceId?: string
  createTime: string
  refunds: SimulatedRefund[]
}

export interface SimulatedRefund {
  id: string
  status: 'COMPLETED' | 'PENDING'
  amount: Amount
  customId?: string
  invoiceId?: string
  createTime: string
}

/** What a refund call may hold. Without an amount, all that is left is refunded. */
export interface NewRefund {
  amount?: Amount | undefined
  customId?: string | undefined
  invoiceId?: string | undefined
  status?: SimulatedRefund['status']
}

export interface NewOrder {
  referenceId: string
  description: string
  brandName: string
  /** The account to be paid; the shop's own when left out. */
  merchantId?: string
  customId?: string
  invoiceId?: string
  amount: Amount
}

export const MERCHANT_ID = 'TESTMERCHANT2'
export const BUYER = { id: 'TESTPAYER2345', givenName: 'Test', surname: 'Buyer', email: 'test.buyer@example.com' }

/** Old orders are forgotten so that a long-lived simulator does not grow. */
const REMEMBERED_ORDERS = 20_000

export type Store = ReturnType<typeof createStore>

export function createStore() {
  const orders = new Map<string, SimulatedOrder>()
  const captures = new Map<string, SimulatedOrder>()
  const refunds = new Map<string, { order: SimulatedOrder; refund: SimulatedRefund }>()
  const paidInvoices = new Map<string, string>()
  const createCalls = new Map<string, SimulatedOrder>()
  const refundCalls = new Map<string, SimulatedRefund>()

  function create(input: NewOrder, createdBy: string | null): SimulatedOrder {
    const order = newOrder(input, createdBy)
    orders.set(order.id, order)
    if (createdBy) createCalls.set(createdBy, order)
    forgetOldest()
    return order
  }

  function forgetOldest(): void {
    if (orders.size <= REMEMBERED_ORDERS) return
    for (const order of orders.values()) {
      orders.delete(order.id)
      if (order.createdBy) createCalls.delete(order.createdBy)
      if (order.capture) captures.delete(order.capture.id)
      for (const refund of order.capture?.refunds ?? []) refunds.delete(refund.id)
      if (order.invoiceId && paidInvoices.get(order.invoiceId) === order.id) paidInvoices.delete(order.invoiceId)
      return
    }
  }

  /** Moves the money, or returns why not. `twist` changes the resulting capture, for tests. */
  function capture(order: SimulatedOrder, twist: (capture: SimulatedCapture) => void = () => {}): Refusal | null {
    if (order.status === 'COMPLETED') return refusal('ORDER_ALREADY_CAPTURED')
    if (order.status !== 'APPROVED') return refusal('ORDER_NOT_APPROVED')
    if (order.invoiceId && paidInvoices.has(order.invoiceId)) return refusal('DUPLICATE_INVOICE_ID')
    if (order.willDecline) return decline(order)
    const made = captureOf(order)
    twist(made)
    order.capture = made
    order.status = 'COMPLETED'
    order.updateTime = made.createTime
    captures.set(made.id, order)
    if (order.invoiceId && made.status !== 'DECLINED') paidInvoices.set(order.invoiceId, order.id)
    return null
  }

  /** Ends PayPal's review of a pending capture. */
  function decide(order: SimulatedOrder, status: 'COMPLETED' | 'DECLINED'): boolean {
    if (order.capture?.status !== 'PENDING') return false
    order.capture.status = status
    order.updateTime = timestamp()
    if (status === 'DECLINED' && order.invoiceId) paidInvoices.delete(order.invoiceId)
    return true
  }

  function refund(
    order: SimulatedOrder,
    { amount: requested, customId, invoiceId, status = 'COMPLETED' }: NewRefund,
    requestId: string | null = null,
  ): SimulatedRefund | Refusal {
    const captured = order.capture
    if (!captured) return refusal('INVALID_RESOURCE_ID')
    const left = cents(captured.amount) - captured.refunds.reduce((sum, { amount }) => sum + cents(amount), 0)
    const wanted = requested ? cents(requested) : left
    const trouble = whyNotRefund(captured, requested, left)
    if (trouble) return trouble
    const made: SimulatedRefund = {
      id: paypalId(),
      status,
      ...(customId && { customId }),
      ...(invoiceId && { invoiceId }),
      amount: { currency_code: captured.amount.currency_code, value: toDecimal(wanted) },
      createTime: timestamp(),
    }
    captured.refunds.push(made)
    captured.status = wanted === left ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
    refunds.set(made.id, { order, refund: made })
    if (requestId) refundCalls.set(requestId, made)
    return made
  }

  function reset(): void {
    for (const memory of [orders, captures, refunds, paidInvoices, createCalls, refundCalls]) memory.clear()
  }

  return {
    create,
    approve,
    capture,
    decline,
    decide,
    refund,
    reset,
    findByRefundCall: (requestId: string) => refundCalls.get(requestId),
    findByCreateCall: (requestId: string) => createCalls.get(requestId),
    find: (id: string) => orders.get(id),
    findByCapture: (id: string) => captures.get(id),
    findRefund: (id: string) => refunds.get(id),
    captured: () => captures.size,
  }
}

function newOrder(input: NewOrder, createdBy: string | null): SimulatedOrder {
  const now = timestamp()
  return {
    merchantId: MERCHANT_ID,
    ...input,
    id: paypalId(),
    status: 'CREATED',
    createTime: now,
    updateTime: now,
    fundingSource: null,
    willDecline: false,
    declines: 0,
    capture: null,
    createdBy,
    captureCalls: new Map(),
  }
}

/** What the buyer does in the window. A card that will be declined is approved too: only the capture fails. */
function approve(order: SimulatedOrder, fundingSource: FundingSource, willDecline: boolean): boolean {
  if (order.status === 'COMPLETED') return false
  Object.assign(order, { status: 'APPROVED', fundingSource, willDecline, updateTime: timestamp() })
  return true
}

function decline(order: SimulatedOrder): Refusal {
  order.status = 'CREATED'
  order.willDecline = false
  order.declines += 1
  order.updateTime = timestamp()
  return refusal('INSTRUMENT_DECLINED')
}

/** A capture of all of the order's money. */
const captureOf = ({ amount, customId, invoiceId }: SimulatedOrder): SimulatedCapture => ({
  id: paypalId(),
  status: 'COMPLETED',
  amount: { ...amount },
  ...(customId && { customId }),
  ...(invoiceId && { invoiceId }),
  createTime: timestamp(),
  refunds: [],
})

/** Why a refund is refused, or null. Without an amount, all that is left is requested. */
function whyNotRefund({ amount }: SimulatedCapture, requested: Amount | undefined, left: Cents): Refusal | null {
  if (requested && requested.currency_code !== amount.currency_code) return refusal('REFUND_CAPTURE_CURRENCY_MISMATCH')
  if (left <= 0) return refusal('CAPTURE_FULLY_REFUNDED')
  if (requested && cents(requested) <= 0) return refusal('CANNOT_BE_ZERO_OR_NEGATIVE')
  if (requested && cents(requested) > left) return refusal('REFUND_AMOUNT_EXCEEDED')
  return null
}

/** The amount of a new order as PayPal would accept it, or why not. */
export function acceptAmount(amount: { currency_code?: string; value?: string }): Amount | Refusal {
  const { currency_code = '', value = '' } = amount
  if (!KNOWN_CURRENCIES.has(currency_code)) return refusal('INVALID_CURRENCY_CODE')
  if (!/^-?\d{1,10}(\.\d+)?$/.test(value)) return refusal('INVALID_PARAMETER_SYNTAX')
  const exact = fromDecimal(value)
  if (exact === null) return refusal('DECIMAL_PRECISION')
  if (exact <= 0) return refusal('CANNOT_BE_ZERO_OR_NEGATIVE')
  return { currency_code, value: toDecimal(exact) }
}

/** Currencies with two decimals; the shop sells in dollars only. */
const KNOWN_CURRENCIES = new Set<string>(CURRENCIES)

export function cents(amount: Amount): Cents {
  return fromDecimal(amount.value) ?? 0
}

export function timestamp(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Looks like PayPal's: 17 upper-case letters and digits. */
export function paypalId(): string {
  return Array.from(randomBytes(17), byte => ALPHABET[byte % ALPHABET.length]).join('')
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
