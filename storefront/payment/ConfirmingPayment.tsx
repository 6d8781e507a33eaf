import { useApolloClient } from '@apollo/client/react'
import { useEffect } from 'react'
import { type OnRefused, useShopMutation } from '../data/use-shop-mutation.ts'
import { notify } from '../ui/toast.ts'
import { Notice } from '../ui/Notice.tsx'
import { forgetApproval } from './approved.ts'
import { CapturePaypalOrderDocument } from './PayPalPayment.gql.ts'

const AGAIN_MS = 4_000

interface ConfirmingPaymentProps {
  orderId: string
  /** What the shopper approved in this browser, when the shop has not said yet what became of it. */
  paypalOrderId: string | null
}

/** Replaces the buttons while the outcome of a payment is not known, and keeps asking for it. */
export default function ConfirmingPayment({ orderId, paypalOrderId }: ConfirmingPaymentProps) {
  const client = useApolloClient()
  const [capture] = useShopMutation(CapturePaypalOrderDocument)

  useEffect(() => {
    let left = false
    let timer: ReturnType<typeof setTimeout> | undefined
    function onRefused({ userErrors: [refusal] }: Parameters<OnRefused>[0]) {
      if (left || !refusal || refusal.code === 'PAYMENT_UNAVAILABLE') return
      forgetApproval(orderId)
      if (refusal.code !== 'PAYMENT_PENDING') notify.error(refusal.message)
    }
    async function ask() {
      // Safe to repeat: the shop captures a payment only once.
      const payload = paypalOrderId && (await capture({ orderId, paypalOrderId }, { onRefused, onFailed: () => {} }))
      if (left) return
      if (payload) {
        forgetApproval(orderId)
        notify.success('Order paid successfully.')
      }
      client.refetchQueries({ include: ['Order'] }).catch(() => {})
      timer = setTimeout(() => void ask(), AGAIN_MS)
    }
    void ask()
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [client, capture, orderId, paypalOrderId])

  return <Notice>PayPal is confirming your payment. This page follows it by itself: please do not pay again.</Notice>
}
