// PayPal's JSON, as far as the shop reads it.
import { z } from 'zod'
import { fromDecimal } from '#schema/rules/money'
import { onlyOf } from '#schema/rules/present'
import {
  PaypalUnavailable,
  type PaypalCapture,
  type PaypalEvent,
  type PaypalPayment,
  type PaypalRefund,
} from './paypal.ts'

export const PAYPAL_ID = /^[A-Z0-9]{5,36}$/

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

export function readOrder(
  json: unknown,
  merchantId: string | undefined,
  expectedId: string | undefined,
): PaypalPayment {
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

/** What PayPal answers a refund with. */
export function readRefundAnswer(json: unknown): PaypalRefund {
  const parsed = refundShape.safeParse(json)
  if (!parsed.success) throw new PaypalUnavailable('PayPal answered with something that is not a refund')
  return readRefund(parsed.data)
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

/** Undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
