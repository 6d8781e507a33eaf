import { useQuery } from '@apollo/client/react'
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { styled } from 'styled-components'
import { ownerLimits } from '#schema/rules/owner-limits'
import { currencyName } from '#schema/rules/currency'
import { type Cents, formatCents, toDecimal } from '#schema/rules/money'
import { inSentence, paymentMethods } from '#schema/rules/payment-methods'
import { typedRefund } from '#schema/rules/shapes/refund'
import { Panel } from '../../admin/AdminList.tsx'
import { useUnsavedWork } from '../../account/interruption.ts'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import type { RefundStatus } from '../../generated/types.ts'
import { color, size, space } from '../../theme/tokens.ts'
import { notify } from '../../ui/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { formatMoment } from '../../ui/dates.ts'
import { OrderRefundsDocument, RefundOrderDocument, type RefundedOrderFragment } from './RefundPanel.gql.ts'

const statusWords: Record<RefundStatus, string> = {
  PENDING: 'on its way',
  COMPLETED: 'sent',
  FAILED: 'refused by PayPal',
}

/** What went back to the shopper, and sending more. Nothing while the order is unpaid. */
export function RefundPanel({ orderId }: { orderId: string }) {
  const { data, refetch } = useQuery(OrderRefundsDocument, { variables: { id: orderId } })
  const order = data?.order
  if (!order?.isPaid) return null
  const left = Math.max(0, order.totalPrice - order.amountDue - order.refundedAmount)
  const isOwn = isTakenByShop(order)
  return (
    <Panel aria-labelledby="refunds">
      <h2 id="refunds">Refunds</h2>
      {order.payments.map(({ captureId, method, note, amount, createdAt }) => (
        <Quiet key={captureId}>
          {method === 'PAYPAL' ? (
            <>
              {formatCents(amount)} arrived {formatMoment(createdAt)} by PayPal capture <code>{captureId}</code>.
            </>
          ) : (
            `${formatCents(amount)} taken ${formatMoment(createdAt)}: ${inSentence(paymentMethods[method])}${note ? `, ${note}` : ''}.`
          )}
        </Quiet>
      ))}
      {order.refunds.length > 0 && (
        <List>
          {order.refunds.map(({ id, amount, reason, status, refundedBy, createdAt }) => (
            <li key={id}>
              <strong>{formatCents(amount)}</strong>{' '}
              {isOwn && status === 'COMPLETED' ? 'given back' : statusWords[status]}, {formatMoment(createdAt)}, by{' '}
              {refundedBy ?? 'PayPal'}
              {reason && <>: {reason}</>}
            </li>
          ))}
        </List>
      )}
      {/* The key starts a new form when the amount that is left changes. */}
      {left > 0 ? (
        <RefundForm key={left} order={order} left={left} onDone={() => void refetch()} />
      ) : (
        <Quiet>All that was paid has been refunded.</Quiet>
      )}
    </Panel>
  )
}

/** Whether the shop took its money itself, so that PayPal has nothing to send back. */
const isTakenByShop = ({ payments }: RefundedOrderFragment) => payments.every(({ method }) => method !== 'PAYPAL')

function RefundForm({ order, left, onDone }: { order: RefundedOrderFragment; left: number; onDone: () => void }) {
  const form = useForm({
    defaultValues: { amount: toDecimal(left), reason: '' },
    resolver: zodResolver(typedRefund(left)),
  })
  const { errors, dirtyFields } = form.formState
  useUnsavedWork(Boolean(dirtyFields.reason))
  /** What was checked, while it is asked whether to send it. */
  const [asked, setAsked] = useState<{ amount: Cents; reason: string } | null>(null)
  // Idempotency keys stay the same until a refund went through, so pressing twice sends the money only once.
  const [keys, setKeys] = useState<Record<string, string>>({})
  const [refund, { loading }] = useShopMutation(RefundOrderDocument)
  const invalidate = useInvalidate()
  const sum = formatCents(asked?.amount ?? 0)
  const isOwn = isTakenByShop(order)
  const methods = new Set(order.payments.map(({ method }) => method))
  const byCard = methods.delete('GIFT_CARD')

  async function send({ amount, reason }: NonNullable<typeof asked>) {
    const what = `${amount} ${reason}`
    const idempotencyKey = keys[what] ?? crypto.randomUUID()
    setKeys({ ...keys, [what]: idempotencyKey })
    const payload = await refund({ orderId: order.id, amount, reason: reason || null, idempotencyKey })
    setAsked(null)
    invalidate('auditLog', 'orderCounts')
    if (payload) notify.success(isOwn ? 'Refund recorded successfully.' : 'Refund sent successfully.')
    onDone()
  }

  return (
    <Form onSubmit={event => void form.handleSubmit(setAsked)(event)} noValidate>
      <TextField
        {...form.register('amount')}
        label={`Amount in ${currencyName()}`}
        required
        inputMode="decimal"
        autoComplete="off"
        error={errors.amount?.message}
      />
      <TextField
        {...form.register('reason')}
        label="Reason"
        optional
        hint={isOwn ? 'The shopper can read it.' : 'The shopper can read it at PayPal.'}
        maxLength={ownerLimits.reason}
        error={errors.reason?.message}
      />
      <div>
        <Button variant="quiet" size="sm" type="submit">
          Refund
        </Button>
      </div>
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={open => !open && setAsked(null)}
        title={`Refund ${sum}?`}
        message={
          <>
            {methods.size === 0
              ? `${sum} of order ${order.reference} goes back on the gift card that paid it.`
              : isOwn
                ? `Give ${sum} of order ${order.reference} back to the shopper yourself: PayPal took nothing, so it sends nothing.`
                : `PayPal sends ${sum} of order ${order.reference} back to the shopper.`}{' '}
            {methods.size > 0 && byCard && 'Of that, what is more than was paid so goes back on the gift card. '}
            {order.giftCardsSold > 0 &&
              (asked?.amount === left
                ? 'The gift cards it is for pay nothing any more. '
                : 'The gift cards it is for go on: if it is for one of them, stop it under “Gift cards”. ')}
            This cannot be undone.
          </>
        }
        confirmLabel={`Refund ${sum}`}
        loading={loading}
        onConfirm={() => void (asked && send(asked))}
      />
    </Form>
  )
}

const Form = styled.form`
  display: grid;
  gap: ${space[3]};
  max-width: 24rem;
`
const List = styled.ul`
  display: grid;
  gap: ${space[1]};
  font-size: ${size.sm};
`
const Quiet = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
