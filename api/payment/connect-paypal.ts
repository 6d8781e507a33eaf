import { toDecimal, type Cents, shopCurrency } from '#schema/rules/money'
import { SHOP_NAME } from '#schema/rules/shop-name'
import {
  PaypalRefused,
  PaypalUnavailable,
  type NewPaypalOrder,
  type NewPaypalRefund,
  type Paypal,
  type PaypalPayment,
  type PaypalRefund,
} from './paypal.ts'
import { openApi, type PaypalCredentials, type PaypalOptions } from './paypal-http.ts'
import { PAYPAL_ID, readOrder, readRefundAnswer } from './paypal-json.ts'

export const PAYPAL_BASE = {
  SANDBOX: 'https://api-m.sandbox.paypal.com',
  LIVE: 'https://api-m.paypal.com',
} as const

export function connectPaypal(credentials: PaypalCredentials, options: PaypalOptions = {}): Paypal {
  const { shopName = SHOP_NAME } = options
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
            description: `${shopName} order ${reference}`,
            amount: { ...money(amount), ...(parts && { breakdown: breakdownOf(parts) }) },
          },
        ],
        // Not payment_source.paypal: the card button uses the same order.
        application_context: { brand_name: shopName, shipping_preference: 'NO_SHIPPING', user_action: 'PAY_NOW' },
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

  /** A lost answer does not mean lost money: the order is read back before the payment counts as failed. */
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
        amount: money(amount),
        custom_id: refundId,
        invoice_id: refundId,
        ...(note && { note_to_payer: note }),
      },
    })
    return readRefundAnswer(answer)
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

const money = (amount: Cents) => ({ currency_code: shopCurrency(), value: toDecimal(amount) })

/** PayPal itself checks that the parts make the amount. */
const breakdownOf = ({
  itemsPrice,
  discount,
  shippingPrice,
  taxPrice,
  giftCardAmount,
}: NonNullable<NewPaypalOrder['parts']>) => ({
  item_total: money(itemsPrice),
  discount: money(discount + giftCardAmount),
  shipping: money(shippingPrice),
  tax_total: money(taxPrice),
})
