import { stored } from '../data/stored.ts'

/** Payments approved at PayPal whose outcome the shop has not reported yet, by order id: PayPal's id, and when. */
type Approvals = Readonly<Record<string, { paypalOrderId: string; at: number }>>

const NONE: Approvals = {}
const DAY_MS = 24 * 3_600_000

/** Kept in the storage, so that it is known after a lost session, a reload, or in another tab. */
const approvals = stored<Approvals>('approvedPayments', NONE, raw => {
  const entries = Object.entries(typeof raw === 'object' && raw !== null ? (raw as Approvals) : NONE)
  // PayPal drops a payment that was approved but never captured.
  const known = entries.filter(
    ([, approval]) => typeof approval?.paypalOrderId === 'string' && Date.now() - approval.at < DAY_MS,
  )
  return known.length > 0 ? Object.fromEntries(known) : NONE
})

export function rememberApproval(orderId: string, paypalOrderId: string) {
  approvals.set({ ...approvals.get(), [orderId]: { paypalOrderId, at: Date.now() } })
}

/** Called when the shop has reported the outcome. */
export function forgetApproval(orderId: string) {
  const { [orderId]: known, ...others } = approvals.get()
  if (known) approvals.set(Object.keys(others).length > 0 ? others : NONE)
}

/** PayPal's id of the payment approved for an order; null when no outcome is awaited. */
export const useApproval = (orderId: string): string | null => approvals.use()[orderId]?.paypalOrderId ?? null
