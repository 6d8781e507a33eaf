import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { styled } from 'styled-components'
import type { z } from 'zod'
import { formatCents } from '#schema/rules/money'
import { ownerLimits } from '#schema/rules/owner-limits'
import { inSentence, ownPaymentMethods, paymentMethods } from '#schema/rules/payment-methods'
import { ownPayment } from '#schema/rules/shapes/payment'
import { useUnsavedWork } from '../../account/interruption.ts'
import { Panel } from '../../admin/AdminList.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { measure } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Select } from '../../ui/Select.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/toast.ts'
import { type PayableOrderFragment, RecordPaymentDocument } from './PaymentPanel.gql.ts'

interface PaymentPanelProps {
  order: PayableOrderFragment
  onPaid: () => void
}

/** Writes down that the shop took the money of an unpaid order itself. */
export function PaymentPanel({ order: { id, reference, amountDue }, onPaid }: PaymentPanelProps) {
  const form = useForm<z.input<typeof ownPayment>, unknown, z.output<typeof ownPayment>>({
    defaultValues: { method: 'CASH', note: '' },
    resolver: zodResolver(ownPayment),
  })
  const { errors, isDirty } = form.formState
  useUnsavedWork(isDirty)
  /** What was checked, while it is asked whether it is so. */
  const [asked, setAsked] = useState<z.output<typeof ownPayment> | null>(null)
  const [record, { loading }] = useShopMutation(RecordPaymentDocument)
  const invalidate = useInvalidate()
  const sum = formatCents(amountDue)

  async function send(payment: z.output<typeof ownPayment>) {
    const payload = await record({ orderId: id, ...payment })
    setAsked(null)
    if (!payload) return
    invalidate('auditLog', 'orderCounts', 'orderStats', 'dashboard')
    notify.success('Payment recorded successfully.')
    onPaid()
  }

  return (
    <Panel aria-labelledby="record-payment">
      <h2 id="record-payment">Record a payment</h2>
      <Form as="form" noValidate onSubmit={form.handleSubmit(setAsked)}>
        <p>For {sum} that the shop took itself. PayPal then takes nothing for this order.</p>
        <Select {...form.register('method')} label="Paid with" error={errors.method?.message}>
          {ownPaymentMethods.map(method => (
            <option key={method} value={method}>
              {paymentMethods[method]}
            </option>
          ))}
        </Select>
        <TextField
          {...form.register('note')}
          label="Note"
          optional
          hint="Such as the number of a receipt or a transfer. The shopper can read it."
          maxLength={ownerLimits.reason}
          autoComplete="off"
          error={errors.note?.message}
        />
        <div>
          <Button variant="quiet" size="sm" type="submit">
            Record payment
          </Button>
        </div>
      </Form>
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={open => !open && setAsked(null)}
        title={`Was ${sum} paid?`}
        message={`Order ${reference} is then paid with ${inSentence(paymentMethods[asked?.method ?? 'CASH'])}, and its shopper gets an email that says so. This cannot be undone, but what was taken can be given back.`}
        confirmLabel={`Record ${sum}`}
        variant="primary"
        loading={loading}
        onConfirm={() => void (asked && send(asked))}
      />
    </Panel>
  )
}

const Form = styled(Stack)`
  max-width: ${measure.text};
`
