import { type FormEvent, useRef, useState } from 'react'
import { styled } from 'styled-components'
import { dayWords } from '#schema/rules/day'
import { dyeLots, lotsLeft, unitsOf } from '#schema/rules/lots'
import { orderCan } from '#schema/rules/order-status'
import { tracking as trackingShape } from '#schema/rules/shapes/tracking'
import { readUnits } from '#schema/rules/stock'
import { useUnsavedWork } from '../../account/interruption.ts'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { issuesOf, useProblems } from '../../data/use-problems.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import type { OrderDetailsFragment } from '../../order/OrderPage.gql.ts'
import { color, size } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/toast.ts'
import type { ParcelFragment } from '../Parcels.gql.ts'
import { Parcels } from '../Parcels.tsx'
import { PackingSlips } from './PackingSlips.tsx'
import { ParcelForm, ParcelFormLines } from './ParcelForm.tsx'
import { outsideOf, ReturnForm } from './ReturnForm.tsx'
import {
  CancelFulfilmentDocument,
  DeliverFulfilmentDocument,
  FulfilOrderDocument,
  SendFulfilmentDocument,
} from './ShipPanel.gql.ts'
import { TrackForm } from './TrackForm.tsx'
import { NO_TRACKING, readTracking, TrackingFields } from './TrackingFields.tsx'

/** What became of an order’s parcels, and sending what is left. */
export default function ShipPanel({ order }: { order: OrderDetailsFragment }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that was pressed may be gone; without this the keyboard would start over at the top.
  const focus = () => heading.current?.focus({ preventScroll: true })
  const left = order.items.some(({ quantity, fulfilledQuantity }) => fulfilledQuantity < quantity)
  const canSend = left && orderCan.send(order)
  if (!canSend && order.fulfilments.length === 0) return null
  return (
    <section aria-labelledby="parcels" data-print={order.fulfilments.length === 0 ? 'hide' : undefined}>
      <h2 id="parcels" ref={heading} tabIndex={-1}>
        Parcels
      </h2>
      {order.fulfilments.length > 0 && (
        <Parcels
          parcels={order.fulfilments}
          isPickup={order.isPickup}
          renderActions={(parcel, name) => <ParcelActions order={order} parcel={parcel} name={name} onDone={focus} />}
        />
      )}
      {canSend && <ShipForm order={order} onDone={focus} />}
    </section>
  )
}

/** What becomes of a parcel. */
const wordsOf = ({ isPickup }: OrderDetailsFragment) =>
  isPickup
    ? { heading: 'Pack', sent: 'ready', delivered: 'picked up', later: 'Pack, ready later' }
    : { heading: 'Ship', sent: 'sent', delivered: 'delivered', later: 'Pack, send later' }

interface ParcelActionsProps {
  order: OrderDetailsFragment
  parcel: ParcelFragment
  name: string
  onDone: () => void
}

function ParcelActions({ order, parcel, name, onDone }: ParcelActionsProps) {
  const { id, status } = parcel
  const words = wordsOf(order)
  const [form, setForm] = useState<'tracking' | 'return' | null>(null)
  const [asking, setAsking] = useState(false)
  const [send, sending] = useShopMutation(SendFulfilmentDocument)
  const [cancel, cancelling] = useShopMutation(CancelFulfilmentDocument)
  const [deliver, delivering] = useShopMutation(DeliverFulfilmentDocument)
  const invalidate = useInvalidate()

  async function run(change: Promise<object | null>, done: string) {
    const payload = await change
    setAsking(false)
    if (!payload) return
    invalidate('orderStats', 'orderCounts', 'auditLog')
    notify.success(done)
    onDone()
  }

  if (status === 'CANCELLED') return null
  const done = () => {
    setForm(null)
    onDone()
  }
  const about = { parcel, name, onClose: () => setForm(null), onDone: done }
  if (form === 'tracking') return <TrackForm {...about} />
  if (form === 'return') return <ReturnForm order={order} {...about} />
  return (
    <Cluster $gap={2} data-print="hide">
      {status === 'PACKED' ? (
        <>
          <Button
            size="sm"
            loading={sending.loading}
            aria-label={`Mark ${name.toLowerCase()} as ${words.sent}`}
            onClick={() => void run(send({ id }), `Parcel ${words.sent}.`)}
          >
            Mark as {words.sent}
          </Button>
          <Button
            size="sm"
            variant="danger"
            aria-label={`Cancel ${name.toLowerCase()}`}
            onClick={() => setAsking(true)}
          >
            Cancel
          </Button>
        </>
      ) : (
        <>
          {status === 'SENT' && (
            <Button
              size="sm"
              variant="quiet"
              loading={delivering.loading}
              aria-label={`Mark ${name.toLowerCase()} as ${words.delivered}`}
              onClick={() => void run(deliver({ id }), `Parcel ${words.delivered}.`)}
            >
              Mark as {words.delivered}
            </Button>
          )}
          {outsideOf(parcel).length > 0 && (
            <Button
              size="sm"
              variant="quiet"
              aria-label={`Take back what came back of ${name.toLowerCase()}`}
              onClick={() => setForm('return')}
            >
              Take back …
            </Button>
          )}
        </>
      )}
      {status !== 'DELIVERED' && !order.isPickup && (
        <Button
          size="sm"
          variant="quiet"
          aria-label={`Correct the tracking of ${name.toLowerCase()}`}
          onClick={() => setForm('tracking')}
        >
          Correct tracking …
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Cancel ${name.toLowerCase()}?`}
        message="It does not leave, and what is in it is left to send in another parcel."
        confirmLabel="Cancel parcel"
        cancelLabel="Keep parcel"
        loading={cancelling.loading}
        onConfirm={() => void run(cancel({ id }), 'Parcel cancelled.')}
      />
    </Cluster>
  )
}

type Line = OrderDetailsFragment['items'][number]

/** A field of the form. */
interface Portion {
  key: string
  productId: string
  /** The dye lot's code; null for a line that is not split by lot. */
  code: string | null
  label: string
  hint: string
  left: number
  /** How many go, unless others are typed: none of what is still expected. */
  suggested: number
}

/** What is left to send of a line: one portion, or one for each dye lot if there are several. */
function portionsOf(
  { productId, name, sku, quantity, fulfilledQuantity, lots, expectedOn }: Line,
  parcels: readonly ParcelFragment[],
): Portion[] {
  const left = quantity - fulfilledQuantity
  const expected = expectedOn === null ? [] : [`expected ${dayWords(expectedOn)}`]
  const gone = parcels
    .filter(({ status }) => status !== 'CANCELLED')
    .flatMap(({ lines }) => lines)
    .filter(({ item }) => item.productId === productId)
  const open = lotsLeft(
    lots,
    gone.flatMap(line => line.lots),
  )
  if (open.length > 1 && unitsOf(open) === left)
    return open.map(({ code, quantity }) => ({
      key: `${productId} ${code}`,
      productId,
      code,
      label: `${name}, lot ${code}`,
      hint: [sku, ...expected, `${quantity} left to send`].join(', '),
      left: quantity,
      suggested: expectedOn === null ? quantity : 0,
    }))
  const hint = [sku, ...(lots.length > 0 ? [dyeLots(open)] : []), ...expected, `${left} left to send`].join(', ')
  const suggested = expectedOn === null ? left : 0
  return left > 0 ? [{ key: productId, productId, code: null, label: name, hint, left, suggested }] : []
}

function ShipForm({ order, onDone }: { order: OrderDetailsFragment; onDone: () => void }) {
  const { id, items, fulfilments, isPickup } = order
  const words = wordsOf(order)
  const [tracking, setTracking] = useState(NO_TRACKING)
  const [quantities, setQuantities] = useState<Record<string, string>>({})
  useUnsavedWork(Object.keys(quantities).length > 0 || tracking.number !== '' || tracking.otherCarrier !== '')
  const { form, problems, show } = useProblems()
  // Idempotency keys stay the same until a parcel went through, so pressing twice makes only one.
  const [keys, setKeys] = useState<Record<string, string>>({})
  const [fulfil, { loading }] = useShopMutation(FulfilOrderDocument)
  const invalidate = useInvalidate()

  const open = items.flatMap(item => portionsOf(item, fulfilments))
  const firstOf = (productId: string) => open.find(portion => portion.productId === productId)?.key

  /** What was typed, or null when anything is wrong with it. */
  function read() {
    const portions = open.map(({ key, ...portion }) => ({
      ...portion,
      field: [key],
      quantity: readUnits(quantities[key] ?? String(portion.suggested)),
    }))
    const wrong = portions.flatMap(({ field, quantity, left }) =>
      quantity === null
        ? [{ field, message: 'Please enter a whole number.' }]
        : quantity > left
          ? [{ field, message: `Only ${left} left to send.` }]
          : [],
    )
    const [first] = portions
    if (first && portions.every(({ quantity }) => quantity === 0))
      wrong.push({ field: first.field, message: 'At least one unit has to go.' })
    const parcel = readTracking(tracking)
    if (show([...wrong, ...issuesOf(trackingShape, parcel)])) return null
    const lines = portions.flatMap(({ productId, code, quantity }) =>
      quantity ? [{ productId, quantity, ...(code && { lots: [{ code, quantity }] }) }] : [],
    )
    return { lines, ...parcel }
  }

  async function ship(isSent: boolean) {
    const typed = read()
    if (!typed) return
    const parcel = { ...typed, isSent }
    const what = JSON.stringify(parcel)
    const idempotencyKey = keys[what] ?? crypto.randomUUID()
    setKeys({ ...keys, [what]: idempotencyKey })
    const payload = await fulfil({ id, ...parcel, idempotencyKey }, { onRefused: ({ userErrors }) => show(userErrors) })
    if (!payload) return
    setKeys({})
    setQuantities({})
    // The next parcel probably goes with the same carrier.
    setTracking({ ...NO_TRACKING, carrier: tracking.carrier })
    invalidate('orderCounts', 'auditLog')
    notify.success(isSent ? `Parcel ${words.sent}.` : 'Parcel packed.')
    onDone()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    void ship(true)
  }

  return (
    <ParcelForm ref={form} onSubmit={submit} noValidate aria-label={words.heading} data-print="hide">
      <h3>{words.heading}</h3>
      <ParcelFormLines>
        {open.map(({ key, productId, label, hint, suggested }) => (
          <li key={key}>
            <TextField
              label={label}
              hint={hint}
              inputMode="numeric"
              autoComplete="off"
              maxLength={7}
              value={quantities[key] ?? String(suggested)}
              error={problems[key] ?? (key === firstOf(productId) ? problems[productId] : undefined)}
              onChange={event => setQuantities({ ...quantities, [key]: event.target.value })}
            />
          </li>
        ))}
      </ParcelFormLines>
      {!isPickup && <TrackingFields typed={tracking} problems={problems} onChange={setTracking} />}
      <Cluster $gap={2}>
        <Button type="submit" loading={loading}>
          Mark as {words.sent}
        </Button>
        <Button variant="quiet" disabled={loading} onClick={() => void ship(false)}>
          {words.later}
        </Button>
        <PackingSlips orders={[order]} />
      </Cluster>
      <Quiet>Your shopper gets an email when the parcel is {words.sent}.</Quiet>
    </ParcelForm>
  )
}

const Quiet = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
  overflow-wrap: anywhere;
`
