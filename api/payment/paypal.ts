// The only file that knows PayPal's JSON. Everything else speaks of PaypalPayment and whole cents.
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { fromDecimal, toDecimal, type Cents } from '#schema/rules/money'
import { onlyOf } from '#schema/rules/present'
import type { Prices } from '#schema/rules/pricing'
import { clock } from '../kernel/clock.ts'

export const PAYPAL_BASE = {
  SANDBOX: 'https://api-m.sandbox.paypal.com',
  LIVE: 'https://api-m.paypal.com',
} as const

export interface PaypalCredentials {
  baseUrl: string
  clientId: string
  clientSecret: string
  /** The shop's own PayPal account. Without it money is not checked for where it went. */
  merchantId?: string | undefined
}

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

/** Something PayPal tells on its own account. */
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
  parts?: Pick<Prices, 'itemsPrice' | 'discount' | 'shippingPrice' | 'taxPrice'>
  /** The same id makes PayPal answer with the same order instead of a second one. */
  requestId: string
}

export interface PaypalOptions {
  log?: { warn(details: object, message: string): void }
  /** Per HTTP request. */
  timeoutMs?: number
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

const PAYPAL_ID = /^[A-Z0-9]{5,36}$/
const BACKOFF_MS = [150, 450]
const TOKEN_SAFETY_MS = 60_000

export function connectPaypal(credentials: PaypalCredentials, options: PaypalOptions = {}): Paypal {
  const api = openApi(credentials, options)
  const readPayment = (json: unknown, expectedId?: string) => readOrder(json, credentials.merchantId, expectedId)

  async function createOrder({ orderId, reference, amount, parts, requestId }: NewPaypalOrder): Promise<PaypalPayment> {
    if (!Number.isSafeInteger(amount) || amount <= 0) throw new RangeError(`Not an amount to charge: ${amount}`)
    const answer = await api.call('POST', '/v2/checkout/orders', {
      requestId,
      body: {
        intent: 'CAPTURE',
        purchase_units: [
          {
            reference_id: 'default',
            custom_id: orderId,
            // With this PayPal itself refuses to be paid twice for one order (where the account says so).
            invoice_id: orderId,
            description: `Skein order ${reference}`,
            amount: { ...usd(amount), ...(parts && { breakdown: breakdownOf(parts) }) },
          },
        ],
        // Not payment_source.paypal: the card button uses the same order.
        application_context: { brand_name: 'Skein', shipping_preference: 'NO_SHIPPING', user_action: 'PAY_NOW' },
      },
    })
    return readPayment(answer)
  }

  async function getOrder(id: string): Promise<PaypalPayment | null> {
    if (!PAYPAL_ID.test(id)) return null
    try {
      return readPayment(await api.call('GET', `/v2/checkout/orders/${id}`), id)
    } catch (error) {
      if (!(error instanceof PaypalRefused)) throw error
      if (error.status === 404) return null
      // A failed look-up says nothing about the payment.
      throw new PaypalUnavailable(`PayPal does not show the order: ${error.issue}`, { cause: error })
    }
  }

  /** A lost answer does not mean lost money: the order is read back before the buyer is told that the payment failed. */
  async function captureOrder(id: string, requestId: string): Promise<PaypalPayment> {
    if (!PAYPAL_ID.test(id)) throw new PaypalRefused('INVALID_RESOURCE_ID', 404)
    const first = await tryCapture(id, requestId)
    if (!(first instanceof PaypalUnavailable)) return first
    // Not captured as far as PayPal knows. The same request id makes asking again safe even if it is still at it.
    const second = await tryCapture(id, requestId)
    if (second instanceof PaypalUnavailable) throw second
    return second
  }

  async function tryCapture(id: string, requestId: string): Promise<PaypalPayment | PaypalUnavailable> {
    let failure: PaypalUnavailable
    try {
      const payment = readPayment(await api.call('POST', `/v2/checkout/orders/${id}/capture`, { requestId }), id)
      if (payment.capture) return payment
      failure = new PaypalUnavailable('PayPal answered a capture without the capture')
    } catch (error) {
      if (!leavesCaptureOpen(error)) throw error
      failure = error instanceof PaypalUnavailable ? error : new PaypalUnavailable(String(error), { cause: error })
    }
    const payment = await getOrder(id)
    return payment?.status === 'COMPLETED' && payment.capture ? payment : failure
  }

  async function refundCapture(
    captureId: string,
    { refundId, amount, note, requestId }: NewPaypalRefund,
  ): Promise<PaypalRefund> {
    if (!PAYPAL_ID.test(captureId)) throw new PaypalRefused('INVALID_RESOURCE_ID', 404)
    if (!Number.isSafeInteger(amount) || amount <= 0) throw new RangeError(`Not an amount to refund: ${amount}`)
    const answer = await api.call('POST', `/v2/payments/captures/${captureId}/refund`, {
      requestId,
      body: {
        amount: { currency_code: 'USD', value: toDecimal(amount) },
        custom_id: refundId,
        invoice_id: refundId,
        ...(note && { note_to_payer: note }),
      },
    })
    const parsed = refundShape.safeParse(answer)
    if (!parsed.success) throw new PaypalUnavailable('PayPal answered with something that is not a refund')
    return readRefund(parsed.data)
  }

  return { createOrder, getOrder, captureOrder, refundCapture }
}

function leavesCaptureOpen(error: unknown): boolean {
  if (error instanceof PaypalUnavailable) return true
  return (
    error instanceof PaypalRefused &&
    (error.issue === 'ORDER_ALREADY_CAPTURED' || error.issue === 'PREVIOUS_REQUEST_IN_PROGRESS')
  )
}

// ---- HTTP ------------------------------------------------------------------------------------------------

interface Call {
  requestId?: string
  body?: unknown
}

function openApi(credentials: PaypalCredentials, { log, timeoutMs = 10_000 }: PaypalOptions) {
  const baseUrl = credentials.baseUrl.replace(/\/+$/, '')
  let token: { value: string; expiresAt: number } | null = null
  let tokenRequest: Promise<string> | null = null

  /** The JSON of a 2xx answer. Anything else throws. */
  async function call(method: 'GET' | 'POST', path: string, { requestId, body }: Call = {}): Promise<unknown> {
    const attempt = async () => {
      const bearer = await currentToken()
      const answer = await send(path, {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          'content-type': 'application/json',
          prefer: 'return=representation',
          ...(requestId && { 'paypal-request-id': requestId }),
        },
        ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
      })
      // Only the token that failed is thrown away; another call may have fetched a fresh one meanwhile.
      if (answer.status === 401 && token?.value === bearer) token = null
      return answer
    }
    let answer = await attempt()
    if (answer.status === 401) answer = await attempt()
    if (answer.status === 401) throw new PaypalUnavailable('PayPal does not accept our access token')
    return acceptedJson(answer, path)
  }

  async function currentToken(): Promise<string> {
    if (token && clock.now().getTime() < token.expiresAt) return token.value
    // However many calls wait for a token, one request fetches it.
    tokenRequest ??= fetchToken().finally(() => {
      tokenRequest = null
    })
    return tokenRequest
  }

  async function fetchToken(): Promise<string> {
    const basic = Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString('base64')
    const answer = await send('/v1/oauth2/token', {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    })
    // Never the buyer's fault, so never a refusal.
    if (answer.status >= 400) throw new PaypalUnavailable(`PayPal gave no access token (${answer.status})`)
    const parsed = tokenShape.safeParse(answer.json)
    if (!parsed.success) throw new PaypalUnavailable('PayPal answered with something that is not a token')
    const lifetime = parsed.data.expires_in * 1000 - TOKEN_SAFETY_MS
    token = { value: parsed.data.access_token, expiresAt: clock.now().getTime() + lifetime }
    return token.value
  }

  /** One request, tried again with the same request id while trying again can help. */
  async function send(path: string, init: RequestInit): Promise<Answer> {
    for (let tried = 0; ; tried++) {
      const last = tried === BACKOFF_MS.length
      let trouble: string
      try {
        const answer = await exchange(path, init)
        if (answer.status < 500 && answer.status !== 429) return answer
        trouble = `status ${answer.status}`
        log?.warn({ path, status: answer.status, debugId: answer.debugId, tried }, 'PayPal is in trouble')
      } catch (error) {
        trouble = error instanceof Error ? error.name : 'unknown error'
        log?.warn({ path, trouble, tried }, 'PayPal did not answer')
        // A buyer who has waited for one timeout should not wait for three.
        if (trouble === 'TimeoutError') throw new PaypalUnavailable(`PayPal took too long: ${path}`, { cause: error })
        if (last) throw new PaypalUnavailable(`PayPal cannot be reached: ${path}`, { cause: error })
      }
      if (last) throw new PaypalUnavailable(`PayPal is in trouble: ${path}, ${trouble}`)
      await pause(BACKOFF_MS[tried])
    }
  }

  async function exchange(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(baseUrl + path, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return {
      status: response.status,
      debugId: response.headers.get('paypal-debug-id') ?? undefined,
      json: parseJson(await response.text()),
    }
  }

  function acceptedJson(answer: Answer, path: string): unknown {
    if (answer.status < 300) return answer.json
    const parsed = errorShape.safeParse(answer.json)
    // A 4xx that is not PayPal's own (a proxy, a wrong address) says nothing about the payment.
    if (!parsed.success) throw new PaypalUnavailable(`PayPal answered ${answer.status} with nonsense: ${path}`)
    const issue = parsed.data.details?.[0]?.issue ?? parsed.data.name
    const debugId = answer.debugId ?? parsed.data.debug_id
    log?.warn({ path, status: answer.status, issue, debugId }, 'PayPal refused')
    throw new PaypalRefused(issue, answer.status, debugId)
  }

  return { call }
}

const usd = (amount: Cents) => ({ currency_code: 'USD', value: toDecimal(amount) })

/** PayPal itself checks that the parts make the amount. */
const breakdownOf = ({ itemsPrice, discount, shippingPrice, taxPrice }: NonNullable<NewPaypalOrder['parts']>) => ({
  item_total: usd(itemsPrice),
  discount: usd(discount),
  shipping: usd(shippingPrice),
  tax_total: usd(taxPrice),
})

interface Answer {
  status: number
  debugId: string | undefined
  json: unknown
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// ---- PayPal's JSON, as far as the shop reads it ----------------------------------------------------------

const tokenShape = z.object({ access_token: z.string().min(1), expires_in: z.number() })

const errorShape = z.object({
  name: z.string(),
  debug_id: z.string().optional(),
  details: z.array(z.object({ issue: z.string().optional() })).optional(),
})

const references = { custom_id: z.string().optional(), invoice_id: z.string().optional() }

// Loose on purpose: money that moved must be reported even when its amount makes no sense.
const amountShape = z
  .object({ currency_code: z.string().catch(''), value: z.string().catch('') })
  .catch({ currency_code: '', value: '' })

const captureShape = z.object({
  id: z.string().regex(PAYPAL_ID),
  status: z.string(),
  amount: amountShape,
  ...references,
})

const refundShape = captureShape

const orderShape = z.object({
  id: z.string().regex(PAYPAL_ID),
  status: z.string(),
  create_time: z.string().optional(),
  update_time: z.string().optional(),
  purchase_units: z
    .array(
      z.object({
        ...references,
        amount: amountShape,
        payee: z.object({ merchant_id: z.string().optional() }).optional(),
        payments: z
          .object({ captures: z.array(captureShape).optional(), refunds: z.array(refundShape).optional() })
          .optional(),
      }),
    )
    .optional(),
})

const linkShape = z.object({ rel: z.string(), href: z.string() })

const eventShape = z.object({
  id: z.string().min(1).max(255),
  event_type: z.string().min(1).max(255),
  create_time: z.iso
    .datetime({ offset: true })
    .transform(time => new Date(time))
    .nullable()
    .catch(null),
  resource: z.looseObject({
    id: z.string().catch(''),
    ...references,
    links: z.array(linkShape).catch([]),
    supplementary_data: z.object({ related_ids: z.object({ order_id: z.string().optional() }).optional() }).optional(),
    purchase_units: z.array(z.object(references)).optional(),
  }),
})

/** Money that goes back: by the shop, at PayPal, or taken by the shopper's bank. */
const REFUND_EVENT = /^PAYMENT\.(CAPTURE\.(REFUNDED|REVERSED)|REFUND\.)/

/** What became of a capture. */
export const CAPTURE_EVENT = /^PAYMENT\.CAPTURE\.(COMPLETED|PENDING|DENIED|DECLINED)$/

/** An event whose signature was checked. Null when it is none. */
export function readWebhookEvent(body: string): PaypalEvent | null {
  const parsed = eventShape.safeParse(parseJson(body))
  if (!parsed.success) return null
  const { id, event_type, create_time, resource } = parsed.data
  const unit = resource.purchase_units?.[0]
  const refund = REFUND_EVENT.test(event_type) ? refundShape.safeParse(resource).data : undefined
  return {
    id,
    type: event_type,
    createdAt: create_time,
    orderId: resource.custom_id ?? resource.invoice_id ?? unit?.custom_id ?? unit?.invoice_id ?? null,
    paypalOrderId: event_type.startsWith('CHECKOUT.ORDER.')
      ? resource.id
      : (resource.supplementary_data?.related_ids?.order_id ?? idIn('orders', resource.links)),
    captureId: CAPTURE_EVENT.test(event_type) ? resource.id : idIn('captures', resource.links),
    refund: refund ? readRefund(refund) : null,
  }
}

/** The id of what a thing belongs to, from its link upwards. */
function idIn(kind: 'orders' | 'captures', links: z.infer<typeof linkShape>[]): string | null {
  const up = links.find(({ rel }) => rel === 'up')
  return new RegExp(`/${kind}/([A-Z0-9]{5,36})$`).exec(up?.href ?? '')?.[1] ?? null
}

type CaptureShape = z.infer<typeof captureShape>

function readOrder(json: unknown, merchantId: string | undefined, expectedId: string | undefined): PaypalPayment {
  const parsed = orderShape.safeParse(json)
  if (!parsed.success) throw new PaypalUnavailable('PayPal answered with something that is not an order')
  const { id, status, purchase_units, create_time, update_time } = parsed.data
  if (expectedId && id !== expectedId) throw new PaypalUnavailable('PayPal answered with another order')
  const unit = purchase_units?.[0]
  const onlyUnit = onlyOf(purchase_units ?? [])
  const capture = decisiveCapture(unit?.payments?.captures ?? [])
  const payee = unit?.payee?.merchant_id
  return {
    id,
    status,
    currency: unit?.amount.currency_code ?? '',
    // What pays several at once is nothing the shop opened, and its sum is not that of one part.
    amount: onlyUnit ? fromDecimal(onlyUnit.amount.value) : null,
    orderId: unit?.custom_id ?? unit?.invoice_id ?? capture?.custom_id ?? capture?.invoice_id ?? null,
    otherPayee: merchantId && payee && payee !== merchantId ? payee : null,
    paysUs: merchantId !== undefined && payee === merchantId,
    updatedAt: readTime(update_time ?? create_time),
    capture: capture ? readCapture(capture) : null,
    refunds: (unit?.payments?.refunds ?? []).map(readRefund),
  }
}

function readRefund({ id, status, amount, custom_id, invoice_id }: CaptureShape): PaypalRefund {
  return {
    id,
    status,
    currency: amount.currency_code,
    amount: fromDecimal(amount.value),
    reference: custom_id ?? invoice_id ?? null,
  }
}

function readTime(text: string | undefined): Date | null {
  const time = new Date(text ?? '')
  return Number.isNaN(time.getTime()) ? null : time
}

/** An order collects its failed captures too; the one with money in it is the one that counts. */
function decisiveCapture(captures: CaptureShape[]): CaptureShape | undefined {
  const withStatus = (status: string) => captures.find(capture => capture.status === status)
  return withStatus('COMPLETED') ?? withStatus('PENDING') ?? captures.at(-1)
}

function readCapture(capture: CaptureShape): PaypalCapture {
  return {
    id: capture.id,
    status: capture.status,
    currency: capture.amount.currency_code,
    amount: fromDecimal(capture.amount.value),
    orderId: capture.custom_id ?? capture.invoice_id ?? null,
  }
}
