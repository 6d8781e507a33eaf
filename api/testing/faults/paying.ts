import type { Simulator } from '../../../tools/paypal-simulator/simulator.ts'
import { ask, mutate } from './requests.ts'

const pays =
  (field: 'capturePaypalOrder' | 'payOrder') => (url: string, token: string, orderId: string, paypalOrderId: string) =>
    mutate(
      url,
      token,
      `($orderId: ID!, $paypalOrderId: ID!) { ${field}(orderId: $orderId, paypalOrderId: $paypalOrderId) { captureId userErrors { code } } }`,
      { orderId, paypalOrderId },
    )

export const capture = pays('capturePaypalOrder')
export const payOrder = pays('payOrder')

export const openPayment = (url: string, token: string, orderId: string) =>
  mutate(url, token, '($orderId: ID!) { createPaypalOrder(orderId: $orderId) { paypalOrderId userErrors { code } } }', {
    orderId,
  })

/** Does what the buyer does in PayPal's window. */
export async function buyerApproves({ url }: Simulator, paypalOrderId: string): Promise<void> {
  const { status } = await ask(`${url}/__buyer/approve`, { body: { token: paypalOrderId } })
  if (status !== 200) throw new Error(`PayPal's window answered ${status}`)
}

/** Sets what PayPal does to the next calls; see tools/paypal-simulator/scenarios.ts. */
export async function plan({ url }: Simulator, scenario: object): Promise<void> {
  const { status } = await ask(`${url}/__sim/scenario`, { body: scenario })
  if (status !== 204) throw new Error(`PayPal's simulator answered ${status}`)
}
