// The only file that knows PayPal's components. They load PayPal's script, or with `sdkBaseUrl` the simulator's.
import { shopCurrency } from '#schema/rules/money'
import { useApolloClient, useQuery } from '@apollo/client/react'
import {
  DISPATCH_ACTION,
  PayPalButtons,
  type PayPalButtonsComponentProps,
  PayPalScriptProvider,
  usePayPalScriptReducer,
} from '@paypal/react-paypal-js'
import { useRef, useState } from 'react'
import { styled } from 'styled-components'
import { messageOf } from '../data/errors.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { color, size, space, weight } from '../theme/tokens.ts'
import { notify } from '../ui/toast.ts'
import { Notice } from '../ui/Notice.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Stack } from '../ui/Stack.tsx'
import { forgetApproval, rememberApproval } from './approved.ts'
import { paymentNonce } from './payment-nonce.ts'
import { CapturePaypalOrderDocument, CreatePaypalOrderDocument, PaypalConfigDocument } from './PayPalPayment.gql.ts'

const FAILED = 'Payment failed. Please try again.'

interface PayPalPaymentProps {
  orderId: string
  /** Called with true while an approved payment is being captured: the buttons must stay until the outcome is known. */
  settling: boolean
  onSettling: (settling: boolean) => void
}

/** Buttons to pay an order by PayPal account or card. Only the server decides whether it is paid. */
export default function PayPalPayment(props: PayPalPaymentProps) {
  const { data, error, refetch } = useQuery(PaypalConfigDocument)
  if (error)
    return (
      <Notice variant="danger" onRetry={() => void refetch()}>
        {messageOf(error)}
      </Notice>
    )
  // The provider reads its options once, so it has to wait for them.
  if (!data) return <ButtonsSkeleton />

  const { clientId, mode, sdkBaseUrl } = data.paypalConfig
  const options = {
    clientId,
    currency: shopCurrency(),
    intent: 'capture',
    components: 'buttons',
    disableFunding: 'paylater,venmo,credit',
    ...(sdkBaseUrl && { sdkBaseUrl }),
    dataCspNonce: paymentNonce(),
  }
  return (
    <Stack $gap={3}>
      {mode === 'SIMULATOR' && <Ribbon role="note">TEST MODE – no money moves</Ribbon>}
      {mode === 'SANDBOX' && <Ribbon role="note">TEST MODE – PayPal sandbox, no money moves</Ribbon>}
      <PayPalScriptProvider options={options}>
        <Buttons {...props} />
      </PayPalScriptProvider>
    </Stack>
  )
}

function Buttons({ orderId, settling, onSettling }: PayPalPaymentProps) {
  const [{ isRejected, isPending, options }, dispatch] = usePayPalScriptReducer()
  const [hint, setHint] = useState<string | null>(null)
  const client = useApolloClient()
  const [createPaypalOrder] = useShopMutation(CreatePaypalOrderDocument)
  const [capturePaypalOrder] = useShopMutation(CapturePaypalOrderDocument)
  // PayPal's bridge garbles the messages of errors that pass through it; this is what our server really said.
  const serverMessage = useRef<string | null>(null)

  /** Throws with the server's message, remembering it for `onError`. */
  function fail(message: string): never {
    serverMessage.current = message
    throw new Error(message)
  }

  const createOrder: PayPalButtonsComponentProps['createOrder'] = async () => {
    setHint(null)
    serverMessage.current = null
    const payload = await createPaypalOrder(
      { orderId },
      {
        onRefused: ({ userErrors: [refusal] }) => fail(refusal?.message ?? FAILED),
        onFailed: error => fail(messageOf(error)),
      },
    )
    return payload?.paypalOrderId ?? fail(FAILED)
  }

  const onApprove: PayPalButtonsComponentProps['onApprove'] = async (approved, actions) => {
    onSettling(true)
    // Stored now, in case this page is closed before the shop has answered.
    rememberApproval(orderId, approved.orderID)
    try {
      let isDeclined = false
      const payload = await capturePaypalOrder(
        { orderId, paypalOrderId: approved.orderID },
        {
          onRefused: ({ userErrors: [refusal] }) => {
            if (refusal?.code !== 'PAYMENT_UNAVAILABLE') forgetApproval(orderId)
            isDeclined = refusal?.code === 'INSTRUMENT_DECLINED'
            const message = refusal?.message ?? FAILED
            if (isDeclined || refusal?.code === 'PAYMENT_PENDING') setHint(message)
            else notify.error(message)
          },
          onFailed: error => fail(messageOf(error)),
        },
      )
      // PayPal lets the shopper try the same payment with another card or account.
      if (isDeclined) return actions.restart()
      if (!payload) return
      forgetApproval(orderId)
      if (!payload.captureId) return notify.error(FAILED)
      // The order on the page is fetched again because the mutation changed it.
      notify.success('Order paid successfully.')
    } finally {
      onSettling(false)
    }
  }

  /** The order may have been paid elsewhere, in another tab for example. */
  function lookAgain() {
    client.refetchQueries({ include: ['Order'] }).catch(() => {})
  }

  function onCancel() {
    setHint('The payment was cancelled. Your order is still here.')
    lookAgain()
  }

  function onError(error: Record<string, unknown>) {
    notify.error(serverMessage.current ?? messageOf(error))
    serverMessage.current = null
    lookAgain()
  }

  if (isRejected) {
    const reload = () => dispatch({ type: DISPATCH_ACTION.RESET_OPTIONS, value: { ...options } })
    return (
      <Notice variant="danger" onRetry={reload}>
        PayPal could not be loaded. Check your connection, or whether something in your browser blocks it.
      </Notice>
    )
  }
  return (
    <>
      {hint && <Notice>{hint}</Notice>}
      {isPending && <ButtonsSkeleton />}
      <PayPalButtons
        key={orderId}
        style={{ layout: 'vertical', shape: 'rect' }}
        disabled={settling}
        createOrder={createOrder}
        onApprove={onApprove}
        onCancel={onCancel}
        onError={onError}
      />
    </>
  )
}

function ButtonsSkeleton() {
  return (
    <Stack $gap={3} aria-busy="true">
      <Skeleton $height="2.75rem" />
      <Skeleton $height="2.75rem" />
    </Stack>
  )
}

const Ribbon = styled.p`
  padding: ${space[1]} ${space[3]};
  background: ${color.warningGround};
  color: ${color.warning};
  font-size: ${size.sm};
  font-weight: ${weight.strong};
  text-align: center;
`
