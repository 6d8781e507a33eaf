import { useQuery } from '@apollo/client/react'
import { type FormEvent, useState } from 'react'
import { styled } from 'styled-components'
import { formatCents, readDollars, toDecimal } from '#schema/rules/money'
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
  const left = Math.max(0, order.totalPrice - order.refundedAmount)
  return (
    <Panel aria-labelledby="refunds">
      <h2 id="refunds">Refunds</h2>
      {order.payments.map(({ captureId, amount, createdAt }) => (
        <Quiet key={captureId}>
          {formatCents(amount)} arrived {formatMoment(createdAt)} by PayPal capture <code>{captureId}</code>.
        </Quiet>
      ))}
      {order.refunds.length > 0 && (
        <List>
          {order.refunds.map(({ id, amount, reason, status, refundedBy, createdAt }) => (
            <li key={id}>
              <strong>{formatCents(amount)}</strong> {statusWords[status]}, {formatMoment(createdAt)}, by{' '}
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

function RefundForm({ order, left, onDone }: { order: RefundedOrderFragment; left: number; onDone: () => void }) {
  const [amount, setAmount] = useState(toDecimal(left))
  const [reason, setReason] = useState('')
  useUnsavedWork(reason !== '')
  const [error, setError] = useState<string>()
  const [asking, setAsking] = useState(false)
  // Idempotency keys stay the same until a refund went through, so pressing twice sends the money only once.
  const [keys, setKeys] = useState<Record<string, string>>({})
  const [refund, { loading }] = useShopMutation(RefundOrderDocument)
  const invalidate = useInvalidate()
  const cents = readDollars(amount)

  function review(event: FormEvent) {
    event.preventDefault()
    const problem =
      cents === null || cents <= 0
        ? 'Please enter an amount such as 12.50.'
        : cents > left
          ? `At most ${formatCents(left)} can be refunded.`
          : undefined
    setError(problem)
    if (!problem) setAsking(true)
  }

  async function send() {
    const what = `${cents} ${reason.trim()}`
    const idempotencyKey = keys[what] ?? crypto.randomUUID()
    setKeys({ ...keys, [what]: idempotencyKey })
    const payload = await refund({ orderId: order.id, amount: cents, reason: reason.trim() || null, idempotencyKey })
    setAsking(false)
    invalidate('auditLog', 'orderCounts')
    if (payload) notify.success('Refund sent successfully.')
    onDone()
  }

  return (
    <Form onSubmit={review} noValidate>
      <TextField
        label="Amount in dollars"
        required
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        error={error}
        onChange={event => setAmount(event.target.value)}
      />
      <TextField
        label="Reason"
        optional
        hint="The shopper can read it at PayPal."
        maxLength={200}
        value={reason}
        onChange={event => setReason(event.target.value)}
      />
      <div>
        <Button variant="quiet" size="sm" type="submit">
          Refund
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Refund ${formatCents(cents ?? 0)}?`}
        message={
          <>
            PayPal sends {formatCents(cents ?? 0)} of order {order.reference} back to the shopper. This cannot be
            undone.
          </>
        }
        confirmLabel={`Refund ${formatCents(cents ?? 0)}`}
        loading={loading}
        onConfirm={() => void send()}
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
