import { useApolloClient, useMutation } from '@apollo/client/react'
import { useEffect } from 'react'
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

/** Stands in place of the buttons while nobody knows how a payment ended, and asks until somebody does. */
export default function ConfirmingPayment({ orderId, paypalOrderId }: ConfirmingPaymentProps) {
  const client = useApolloClient()
  const [capture] = useMutation(CapturePaypalOrderDocument)

  useEffect(() => {
    let left = false
    let timer: ReturnType<typeof setTimeout> | undefined
    async function ask() {
      // Safe to repeat: the shop captures it once, whoever asks.
      const answer = paypalOrderId && (await capture({ variables: { orderId, paypalOrderId } }).catch(() => null))
      if (left) return
      const [refusal] = (answer && answer.data?.capturePaypalOrder.userErrors) || []
      if (answer && refusal?.code !== 'PAYMENT_UNAVAILABLE') {
        forgetApproval(orderId)
        if (!refusal) notify.success('Order paid successfully.')
        else if (refusal.code !== 'PAYMENT_PENDING') notify.error(refusal.message)
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
