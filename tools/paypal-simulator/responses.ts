// The simulator's memory in the format of PayPal's answers.
import { toDecimal } from '#schema/rules/money'
import { BUYER, cents, type Amount, type SimulatedCapture, type SimulatedOrder, type SimulatedRefund } from './store.ts'

export function minimalOrder(order: SimulatedOrder, base: string): object {
  return { id: order.id, status: order.status, links: orderLinks(order, base) }
}

export function fullOrder(order: SimulatedOrder, base: string): object {
  return {
    id: order.id,
    intent: 'CAPTURE',
    status: order.status,
    ...payerParts(order),
    purchase_units: [
      {
        reference_id: order.referenceId,
        amount: order.amount,
        payee: { email_address: 'test.merchant@example.com', merchant_id: order.merchantId },
        description: order.description,
        ...ourReferences(order),
        ...paymentsPart(order, base),
      },
    ],
    create_time: order.createTime,
    update_time: order.updateTime,
    links: orderLinks(order, base),
  }
}

/** The answer to a capture without `Prefer: return=representation`. */
export function capturedOrder(order: SimulatedOrder, base: string): object {
  return {
    id: order.id,
    status: order.status,
    ...payerParts(order),
    purchase_units: [{ reference_id: order.referenceId, ...paymentsPart(order, base) }],
    links: orderLinks(order, base),
  }
}

export function captureAnswer(capture: SimulatedCapture, order: SimulatedOrder, base: string): object {
  const href = `${base}/v2/payments/captures/${capture.id}`
  return {
    id: capture.id,
    status: capture.status,
    ...(capture.status === 'PENDING' && { status_details: { reason: 'PENDING_REVIEW' } }),
    amount: capture.amount,
    final_capture: true,
    seller_protection: {
      status: 'ELIGIBLE',
      dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'],
    },
    seller_receivable_breakdown: breakdown(capture.amount),
    ...ourReferences(capture),
    create_time: capture.createTime,
    update_time: capture.refunds.at(-1)?.createTime ?? capture.createTime,
    links: [
      link(href, 'self'),
      link(`${href}/refund`, 'refund', 'POST'),
      link(`${base}/v2/checkout/orders/${order.id}`, 'up'),
    ],
  }
}

export function refundAnswer(refund: SimulatedRefund, order: SimulatedOrder, base: string): object {
  return {
    id: refund.id,
    status: refund.status,
    amount: refund.amount,
    ...ourReferences(order),
    ...ourReferences(refund),
    create_time: refund.createTime,
    update_time: refund.createTime,
    links: [
      link(`${base}/v2/payments/refunds/${refund.id}`, 'self'),
      link(`${base}/v2/payments/captures/${order.capture?.id}`, 'up'),
    ],
  }
}

function paymentsPart(order: SimulatedOrder, base: string): object {
  if (!order.capture) return {}
  const refunds = order.capture.refunds.map(refund => refundAnswer(refund, order, base))
  return { payments: { captures: [captureAnswer(order.capture, order, base)], ...(refunds.length > 0 && { refunds }) } }
}

function ourReferences({ customId, invoiceId }: { customId?: string; invoiceId?: string }): object {
  return { ...(customId && { custom_id: customId }), ...(invoiceId && { invoice_id: invoiceId }) }
}

function payerParts(order: SimulatedOrder): object {
  if (!order.fundingSource) return {}
  const name = { given_name: BUYER.givenName, surname: BUYER.surname }
  const payer = { name, email_address: BUYER.email, payer_id: BUYER.id, address: { country_code: 'US' } }
  if (order.fundingSource === 'card') {
    return {
      payment_source: {
        card: { name: `${BUYER.givenName} ${BUYER.surname}`, last_digits: '1111', brand: 'VISA', type: 'CREDIT' },
      },
      payer,
    }
  }
  return {
    payment_source: {
      paypal: {
        email_address: BUYER.email,
        account_id: BUYER.id,
        account_status: 'VERIFIED',
        name,
        address: { country_code: 'US' },
      },
    },
    payer,
  }
}

function breakdown(gross: Amount): object {
  const total = cents(gross)
  const fee = Math.min(total, Math.round((total * 349) / 10_000) + 49)
  const money = (amount: number) => ({ currency_code: gross.currency_code, value: toDecimal(amount) })
  return { gross_amount: money(total), paypal_fee: money(fee), net_amount: money(total - fee) }
}

function orderLinks(order: SimulatedOrder, base: string): object[] {
  const href = `${base}/v2/checkout/orders/${order.id}`
  const self = link(href, 'self')
  if (order.status === 'COMPLETED') return [self]
  return [
    self,
    link(`${base}/checkoutnow?token=${order.id}`, 'approve'),
    link(href, 'update', 'PATCH'),
    link(`${href}/capture`, 'capture', 'POST'),
  ]
}

function link(href: string, rel: string, method = 'GET'): object {
  return { href, rel, method }
}
