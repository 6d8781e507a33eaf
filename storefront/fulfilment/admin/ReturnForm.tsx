import { type FormEvent, useState } from 'react'
import { z } from 'zod'
import { ownerLimits } from '#schema/rules/owner-limits'
import { paymentMethods } from '#schema/rules/payment-methods'
import { lotsLeft, unitsOf } from '#schema/rules/lots'
import { formatCents } from '#schema/rules/money'
import { valueOfReturn } from '#schema/rules/returns'
import { reasonOrNull } from '#schema/rules/shapes/refund'
import { readUnits } from '#schema/rules/stock'
import { useUnsavedWork } from '../../account/interruption.ts'
import { may } from '../../account/may.ts'
import { useSession } from '../../account/session.ts'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { issuesOf, useProblems } from '../../data/use-problems.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import type { ReturnLineInput } from '../../generated/types.ts'
import { RefundOrderDocument } from '../../order/admin/RefundPanel.gql.ts'
import type { OrderDetailsFragment } from '../../order/OrderPage.gql.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/toast.ts'
import type { ParcelFragment } from '../Parcels.gql.ts'
import { ParcelForm, ParcelFormLines } from './ParcelForm.tsx'
import { ReturnFulfilmentDocument } from './ReturnForm.gql.ts'

/** Units of one line, or of one of its dye lots, that have not come back. */
interface Portion {
  key: string
  productId: string
  code: string | null
  label: string
  left: number
}

/** The part of a parcel that has not come back, by dye lot where there are several. */
export function outsideOf({ lines, returns }: ParcelFragment): Portion[] {
  const back = returns.flatMap(({ lines }) => lines)
  return lines.flatMap(({ item: { productId, name }, quantity, lots, returnedQuantity }) => {
    const left = quantity - returnedQuantity
    const open = lotsLeft(
      lots,
      back.filter(({ item }) => item.productId === productId).flatMap(({ lots }) => lots),
    )
    if (open.length > 1)
      return open.map(({ code, quantity }): Portion => ({
        key: `${productId} ${code}`,
        productId,
        code,
        label: `${name}, lot ${code}`,
        left: quantity,
      }))
    return left > 0 ? [{ key: productId, productId, code: null, label: name, left }] : []
  })
}

interface Typed extends Portion {
  /** Null for a text that is not a whole number. */
  quantity: number | null
  isRestocked: boolean
}

interface Chosen extends Typed {
  quantity: number
}

/** What the shopper paid for what comes back. */
function valueOf(order: OrderDetailsFragment, chosen: readonly Chosen[]): number {
  const sent = order.fulfilments.flatMap(({ lines }) => lines)
  return valueOfReturn(
    order,
    order.items.map(item => ({
      ...item,
      units: unitsOf(chosen.filter(({ productId }) => productId === item.productId).map(withCode)),
      returnedBefore: sent
        .filter(line => line.item.productId === item.productId)
        .reduce((sum, { returnedQuantity }) => sum + returnedQuantity, 0),
    })),
  )
}

const withCode = ({ code, quantity }: Chosen) => ({ code: code ?? '', quantity })

const lineOf = ({ productId, quantity, isRestocked, code }: Chosen): ReturnLineInput => ({
  productId,
  quantity,
  isRestocked,
  ...(code !== null && { lots: [{ code, quantity }] }),
})

const contents = (chosen: readonly Chosen[]) => chosen.map(({ quantity, label }) => `${quantity} × ${label}`).join(', ')

/** What is wrong with what was typed; a portion's field is its key. */
function problemsOf(typed: readonly Typed[]) {
  const [first] = typed
  if (first && typed.every(({ quantity }) => quantity === 0))
    return [{ field: [first.key], message: 'At least one unit has to come back.' }]
  return typed.flatMap(({ key, quantity, left }) =>
    quantity === null
      ? [{ field: [key], message: 'Please enter a whole number.' }]
      : quantity > left
        ? [{ field: [key], message: `Only ${left} can still come back.` }]
        : [],
  )
}

/** The field beside which something is said: of a product with several lots, that of its first. */
const fieldOf = (open: readonly Portion[], name: string | undefined): string | null =>
  name === 'reason' ? name : (open.find(({ key, productId }) => key === name || productId === name)?.key ?? null)

interface ReturnFormProps {
  order: OrderDetailsFragment
  parcel: ParcelFragment
  /** "Parcel 2". */
  name: string
  onClose: () => void
  onDone: () => void
}

/** Records what came back of a parcel, and refunds it when asked to. */
export function ReturnForm({ order, parcel, name, onClose, onDone }: ReturnFormProps) {
  const open = outsideOf(parcel)
  const { typed, isTouched, lineProps } = useReturnLines(open)
  const [reason, setReason] = useState('')
  const mayRefund = may(useSession(), 'REFUND_ORDERS')
  const [refunds, setRefunds] = useState(false)
  const { form, problems, show } = useProblems(field => fieldOf(open, field.at(-1)))
  const [chosen, setChosen] = useState<Chosen[] | null>(null)
  // The key stays the same while the form is open, so pressing twice takes the units back only once.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  useUnsavedWork(reason !== '' || isTouched)
  const [takeBack, taking] = useShopMutation(ReturnFulfilmentDocument)
  const [refund, refunding] = useShopMutation(RefundOrderDocument)
  const invalidate = useInvalidate()

  const back = typed.flatMap(({ quantity, ...portion }) => (quantity ? [{ ...portion, quantity }] : []))
  const most = Math.max(0, order.totalPrice - order.amountDue - order.refundedAmount)
  const possible = back.filter(({ quantity, left }) => quantity <= left)
  const worth = Math.min(valueOf(order, possible), most)

  function review(event: FormEvent) {
    event.preventDefault()
    if (!show([...problemsOf(typed), ...issuesOf(z.object({ reason: reasonOrNull }), { reason })])) setChosen(back)
  }

  async function take(lines: readonly Chosen[]) {
    const said = reason.trim() || null
    const payload = await takeBack(
      { id: parcel.id, lines: lines.map(lineOf), reason: said, idempotencyKey },
      { onRefused: ({ userErrors }) => show(userErrors) },
    )
    if (!payload) return setChosen(null)
    notify.success('Taken back.')
    const amount = Math.min(payload.returned?.value ?? 0, most)
    if (refunds && amount > 0) {
      const sent = await refund({ orderId: order.id, amount, reason: said, idempotencyKey })
      if (sent) notify.success(`${formatCents(amount)} refunded.`)
    }
    invalidate('auditLog', 'orderCounts', 'adminProducts')
    onDone()
  }

  return (
    <ParcelForm ref={form} onSubmit={review} noValidate aria-label={`What came back of ${name.toLowerCase()}`}>
      <ParcelFormLines>
        {open.map(portion => (
          <ReturnLine key={portion.key} portion={portion} error={problems[portion.key]} {...lineProps(portion.key)} />
        ))}
      </ParcelFormLines>
      <TextField
        label="Reason"
        optional
        hint="Your shopper reads it."
        maxLength={ownerLimits.reason}
        value={reason}
        error={problems['reason']}
        onChange={event => setReason(event.target.value)}
      />
      {worth > 0 && mayRefund && (
        <Checkbox
          label={`Refund ${formatCents(worth)} as well`}
          checked={refunds}
          onChange={event => setRefunds(event.target.checked)}
        />
      )}
      <Cluster $gap={2}>
        <Button size="sm" type="submit">
          Take back
        </Button>
        <Button size="sm" variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </Cluster>
      <ConfirmDialog
        open={chosen !== null}
        onOpenChange={open => !open && setChosen(null)}
        title="Is it all here?"
        message={<Consequences chosen={chosen ?? []} refund={refunds ? worth : 0} method={order.paymentMethod} />}
        confirmLabel={refunds && worth > 0 ? `Take back and refund ${formatCents(worth)}` : 'Take back'}
        variant="primary"
        loading={taking.loading || refunding.loading}
        onConfirm={() => void (chosen && take(chosen))}
      />
    </ParcelForm>
  )
}

/** How much of each portion came back (all that is left, until somebody types) and whether it can be sold again. */
function useReturnLines(open: readonly Portion[]) {
  const [quantities, setQuantities] = useState<Record<string, string>>({})
  const [writtenOff, setWrittenOff] = useState<Record<string, boolean>>({})
  const typed = open.map(portion => ({
    ...portion,
    quantity: readUnits(quantities[portion.key] ?? String(portion.left)),
    isRestocked: !writtenOff[portion.key],
  }))
  return {
    typed,
    isTouched: Object.keys(quantities).length > 0,
    lineProps: (key: string) => ({
      quantity: quantities[key],
      onQuantity: (quantity: string) => setQuantities({ ...quantities, [key]: quantity }),
      isWrittenOff: writtenOff[key],
      onWriteOff: (isWrittenOff: boolean) => setWrittenOff({ ...writtenOff, [key]: isWrittenOff }),
    }),
  }
}

interface ReturnLineProps {
  portion: Portion
  /** As typed; when left out, everything that is left. */
  quantity: string | undefined
  onQuantity: (quantity: string) => void
  error: string | undefined
  isWrittenOff: boolean | undefined
  onWriteOff: (isWrittenOff: boolean) => void
}

/** How much of a portion came back, and whether it can be sold again. */
function ReturnLine({
  portion: { label, left },
  quantity = String(left),
  onQuantity,
  error,
  isWrittenOff = false,
  onWriteOff,
}: ReturnLineProps) {
  return (
    <li>
      <TextField
        label={label}
        hint={`${left} can come back`}
        inputMode="numeric"
        autoComplete="off"
        maxLength={7}
        value={quantity}
        error={error}
        onChange={event => onQuantity(event.target.value)}
      />
      <Checkbox
        label="Not for sale any more"
        aria-label={`${label}: not for sale any more`}
        checked={isWrittenOff}
        onChange={event => onWriteOff(event.target.checked)}
      />
    </li>
  )
}

/** What taking these back does. */
function Consequences({ chosen, refund, method }: { chosen: readonly Chosen[]; refund: number; method: string }) {
  const onShelf = chosen.filter(({ isRestocked }) => isRestocked)
  const off = chosen.filter(({ isRestocked }) => !isRestocked)
  return (
    <>
      {onShelf.length > 0 && <>For sale again: {contents(onShelf)}. </>}
      {off.length > 0 && <>Written off: {contents(off)}. </>}
      {refund > 0 &&
        (method === paymentMethods.PAYPAL
          ? `PayPal sends ${formatCents(refund)} back. `
          : `Give ${formatCents(refund)} back yourself: PayPal took nothing. `)}
      Your shopper gets an email. This cannot be undone.
    </>
  )
}
