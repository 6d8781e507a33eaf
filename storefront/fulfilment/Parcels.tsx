import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { dyeLots, unitsOf } from '#schema/rules/lots'
import { color, size, space } from '../theme/tokens.ts'
import { Badge } from '../ui/Badge.tsx'
import { formatDay } from '../ui/dates.ts'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import type { ParcelFragment } from './Parcels.gql.ts'

/** How far a parcel is, and since when. */
function stateOf({ status, createdAt, sentAt, deliveredAt, cancelledAt }: ParcelFragment, isPickup: boolean): string {
  if (status === 'CANCELLED') return `Cancelled on ${formatDay(cancelledAt ?? createdAt)}`
  if (status === 'DELIVERED') return `${isPickup ? 'Picked up' : 'Delivered'} on ${formatDay(deliveredAt ?? createdAt)}`
  if (status === 'SENT') return `${isPickup ? 'Ready since' : 'Sent on'} ${formatDay(sentAt ?? createdAt)}`
  return isPickup ? 'Packed, almost ready' : 'Packed, about to leave'
}

/** The parcels a shopper sees: all that are not cancelled. None if the rest of the page already says everything. */
export function parcelsToFollow(parcels: readonly ParcelFragment[]): readonly ParcelFragment[] {
  const going = parcels.filter(({ status }) => status !== 'CANCELLED')
  const [only, ...others] = going
  const isPlain =
    only &&
    others.length === 0 &&
    only.status === 'DELIVERED' &&
    !only.carrier &&
    !only.trackingUrl &&
    only.returns.length === 0
  return isPlain ? [] : going
}

type ReturnLine = ParcelFragment['returns'][number]['lines'][number]

/** One entry per product, even if only a part is for sale again: the shopper need not know that. */
function cameBack(lines: readonly ReturnLine[]): string {
  const inWords = (parts: readonly ReturnLine[]) => {
    const lots = parts.flatMap(({ lots }) => lots)
    return `${unitsOf(parts)} × ${parts[0]?.item.name}${lots.length > 0 ? ` (${dyeLots(lots)})` : ''}`
  }
  const products = [...new Set(lines.map(({ item }) => item.productId))]
  return products.map(id => inWords(lines.filter(({ item }) => item.productId === id))).join(', ')
}

interface ParcelsProps {
  parcels: readonly ParcelFragment[]
  /** Whether they are picked up at the shop. */
  isPickup: boolean
  /** What can be done with one. */
  renderActions?: (parcel: ParcelFragment, name: string) => ReactNode
}

/** The parcels with their contents, carrier, state and tracking link. */
export function Parcels({ parcels, isPickup, renderActions }: ParcelsProps) {
  return (
    <List>
      {parcels.map((parcel, index) => {
        const { id, status, carrier, trackingNumber, trackingUrl, lines, returns } = parcel
        const name = parcels.length === 1 ? 'Parcel' : `Parcel ${index + 1}`
        return (
          <li key={id} data-cancelled={status === 'CANCELLED' || undefined}>
            <header>
              <strong>{name}</strong>
              <Badge $variant={status === 'DELIVERED' ? 'success' : 'plain'}>{stateOf(parcel, isPickup)}</Badge>
            </header>
            {(carrier || trackingNumber || trackingUrl) && (
              <p>
                {carrier}
                {carrier && (trackingNumber || trackingUrl) && ' · '}
                {trackingUrl ? (
                  <a href={trackingUrl} target="_blank" rel="noreferrer">
                    {trackingNumber ?? 'Follow the parcel'}
                    <VisuallyHidden>, follows {name.toLowerCase()} in a new tab</VisuallyHidden>
                  </a>
                ) : (
                  trackingNumber
                )}
              </p>
            )}
            <ul aria-label={`In ${name.toLowerCase()}`}>
              {lines.map(({ item, quantity, lots }) => (
                <li key={item.productId}>
                  {quantity} × {item.name}
                  {lots.length > 0 && `: ${dyeLots(lots)}`}
                </li>
              ))}
            </ul>
            {returns.map(({ id, createdAt, reason, lines }) => (
              <p key={id}>
                Back with us since {formatDay(createdAt)}: {cameBack(lines)}.{reason && ` ${reason}`}
              </p>
            ))}
            {renderActions?.(parcel, name)}
          </li>
        )
      })}
    </List>
  )
}

const List = styled.ol`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  padding: 0;
  list-style: none;
  > li {
    display: grid;
    gap: ${space[2]};
    padding-block: ${space[3]};
    border-bottom: 1px solid ${color.line};
  }
  > li:first-child {
    border-top: 1px solid ${color.line};
  }
  > li[data-cancelled] {
    color: ${color.textQuiet};
  }
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: ${space[1]} ${space[3]};
  }
  p {
    overflow-wrap: anywhere;
  }
  ul {
    padding: 0;
    list-style: none;
    font-size: ${size.sm};
    color: ${color.textQuiet};
  }
`
