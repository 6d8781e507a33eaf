import { styled } from 'styled-components'
import { orderCan } from '#schema/rules/order-status'
import { below, color, from, size, space, upTo, weight } from '../theme/tokens.ts'
import { formatDay } from '../ui/dates.ts'
import { CheckIcon } from '../ui/icons.tsx'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import type { OrderDetailsFragment } from './OrderPage.gql.ts'
import { statusWords } from './status-words.ts'

interface Telling {
  order: OrderDetailsFragment
  isOwner: boolean
  /** A payment has begun, and its outcome is not known yet. */
  confirming: boolean
}

/** Where an order stands, in one short sentence that stays on one line. */
export function leadOf({ order, isOwner, confirming }: Telling): string {
  if (order.isRefunded) return 'Your money went back to you.'
  if (orderCan.send(order) && order.items.every(item => isSent(item) || item.expectedOn !== null))
    return order.isPickup ? 'We write when your yarn is here.' : 'Your yarn leaves once it is here.'
  const { lead } = statusWords(order)
  if (lead !== null) return lead
  if (confirming) return 'One moment: PayPal has the word.'
  return isOwner ? 'Thank you. One step left: pay.' : 'Waits to be paid.'
}

const isSent = ({ quantity, fulfilledQuantity }: OrderDetailsFragment['items'][number]) =>
  fulfilledQuantity === quantity

/** The way of an order as four knots in a thread. Each state takes the same room, so that nothing moves when it changes. */
export function OrderStory({
  order: { status, isPickup, isDownload, createdAt, paidAt, sentAt, deliveredAt },
  isOwner,
  confirming,
}: Telling) {
  const parcel = [
    {
      label: isPickup ? 'Packed' : 'Packed and sent',
      note: sentAt ? formatDay(sentAt) : status === 'PARTLY_SENT' ? 'a part' : paidAt && !deliveredAt ? 'our turn' : '',
      done: Boolean(sentAt ?? deliveredAt),
    },
    {
      label: isPickup ? 'Picked up' : 'At your door',
      note: deliveredAt ? formatDay(deliveredAt) : sentAt ? (isPickup ? 'your turn' : 'on its way') : '',
      done: Boolean(deliveredAt),
    },
  ]
  const steps = [
    { label: 'Ordered', note: formatDay(createdAt), done: true },
    {
      label: 'Payment',
      note: paidAt ? formatDay(paidAt) : confirming ? 'in doubt' : isOwner ? 'your turn' : 'open',
      done: Boolean(paidAt),
    },
    ...(isDownload ? [{ label: 'All yours', note: '', done: Boolean(deliveredAt) }] : parcel),
  ]
  const current = steps.findIndex(({ done }) => !done)
  return (
    <Thread aria-label="How far the order is">
      {steps.map(({ label, note, done }, index) => (
        <li key={label} data-done={done || undefined} aria-current={index === current ? 'step' : undefined}>
          <Knot aria-hidden="true">{done && <CheckIcon size={14} strokeWidth={2.5} />}</Knot>
          <strong>{label}</strong>
          {done && <VisuallyHidden>, done</VisuallyHidden>}
          <small>{note}</small>
        </li>
      ))}
    </Thread>
  )
}

const Knot = styled.span`
  display: grid;
  place-items: center;
  width: 1.5rem;
  height: 1.5rem;
  border: 2px solid ${color.lineStrong};
  border-radius: 50%;
  background: ${color.ground};
`
const Thread = styled.ol`
  display: grid;
  grid-template-columns: ${upTo(4, '4.25rem')};
  padding: 0;
  list-style: none;
  font-size: ${size.sm};
  line-height: 1.3;
  ${below.tablet} {
    font-size: ${size.xs};
  }
  li {
    position: relative;
    display: grid;
    align-content: start;
    gap: ${space[1]};
    padding-right: ${space[2]};
  }
  /* The thread from knot to knot. */
  li:not(:last-child)::after {
    content: '';
    position: absolute;
    inset: calc(0.75rem - 1px) 0.25rem auto 1.75rem;
    border-top: 2px dotted ${color.lineStrong};
  }
  li[data-done]:not(:last-child)::after {
    border-top: 2px solid ${color.success};
  }
  li[data-done] ${Knot} {
    border-color: ${color.success};
    background: ${color.success};
    color: ${color.ground};
  }
  li[aria-current] ${Knot} {
    border-color: ${color.text};
    box-shadow: inset 0 0 0 3px ${color.ground};
    background: ${color.text};
  }
  strong {
    font-weight: ${weight.regular};
    color: ${color.textQuiet};
  }
  li[data-done] strong,
  li[aria-current] strong {
    font-weight: ${weight.strong};
    color: ${color.text};
  }
  small {
    min-height: 1.3em;
    font-size: ${size.xs};
    color: ${color.textQuiet};
  }
  ${from.desktop} {
    max-width: 46rem;
  }
`
