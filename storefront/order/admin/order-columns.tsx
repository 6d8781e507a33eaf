import { styled } from 'styled-components'
import { isCalledOff } from '#schema/rules/order-status'
import { Preorder } from '../../catalog/Preorder.tsx'
import { paths } from '../../paths.ts'
import { color, size, space } from '../../theme/tokens.ts'
import { Badge } from '../../ui/Badge.tsx'
import { formatClock, formatDay, formatMoment } from '../../ui/dates.ts'
import { Link } from '../../ui/Link.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Money } from '../../ui/Money.tsx'
import type { Column } from '../../ui/table-column.ts'
import { WarningMark } from '../../ui/WarningMark.tsx'
import { statusWords } from '../status-words.ts'
import { Buyer } from './Buyer.tsx'
import type { AdminOrderFragment } from './Orders.gql.ts'

export const orderColumns: Column<AdminOrderFragment>[] = [
  {
    id: 'REF',
    header: 'Order',
    lead: true,
    width: '8rem',
    cell: order => (
      <Reference>
        <Link to={paths.order(order.id)}>{order.reference}</Link>
        {order.incidents
          .filter(({ resolvedAt }) => !resolvedAt)
          .map(({ id, message }) => (
            <WarningMark key={id} danger text={message} />
          ))}
      </Reference>
    ),
  },
  {
    id: 'NAME',
    header: 'User',
    sortable: true,
    cell: order => (
      <>
        <Buyer user={order.user} /> {order.isPickup && <Badge>Pickup</Badge>}{' '}
        {order.expectedOn !== null && (
          <Badge>
            <Preorder expectedOn={order.expectedOn} />
          </Badge>
        )}
        <Tags tags={order.tags} />
      </>
    ),
  },
  { id: 'DATE', header: 'Date', sortable: true, descendingFirst: true, cell: order => <Day at={order.createdAt} /> },
  {
    id: 'TOTAL',
    header: 'Price',
    numeric: true,
    sortable: true,
    descendingFirst: true,
    width: '7rem',
    cell: order => <Money cents={order.totalPrice} />,
  },
  {
    id: 'PAID',
    header: 'Payment date',
    sortable: true,
    descendingFirst: true,
    cell: order => (order.paidAt ? <Day at={order.paidAt} /> : <Unpaid order={order} />),
  },
  {
    id: 'DELIVERED',
    header: 'Delivery date',
    sortable: true,
    descendingFirst: true,
    cell: order => (order.deliveredAt ? <Day at={order.deliveredAt} /> : <Missing of="delivery" order={order} />),
  },
  {
    id: 'INVOICE',
    header: 'Invoice',
    hideHeader: true,
    numeric: true,
    width: '8.5rem',
    cell: order => (
      <LinkButton
        as={Link}
        to={paths.order(order.id)}
        $variant="quiet"
        $size="sm"
        aria-label={`See Invoice of order ${order.reference}`}
      >
        See Invoice
      </LinkButton>
    ),
  },
]

/** Each tag links to all orders that have it. */
function Tags({ tags }: Pick<AdminOrderFragment, 'tags'>) {
  if (tags.length === 0) return null
  return (
    <TagList aria-label="Tags">
      {tags.map(tag => (
        <li key={tag}>
          <Badge as={Link} to={`${paths.adminOrders()}?${new URLSearchParams({ tag })}`}>
            {tag}
          </Badge>
        </li>
      ))}
    </TagList>
  )
}

function Missing({ of, order }: { of: 'payment' | 'delivery'; order: AdminOrderFragment }) {
  const words = statusWords(order).missing
  return words.quiet === of ? <Quiet>{words[of]}</Quiet> : <WarningMark text={words[of]} />
}

function Unpaid({ order }: { order: AdminOrderFragment }) {
  const { status, heldUntil } = order
  return (
    <Facts>
      <Missing of="payment" order={order} />
      {heldUntil && !isCalledOff(status) && (
        <Quiet title={formatMoment(heldUntil)}>Holds stock until {formatClock(heldUntil)}</Quiet>
      )}
    </Facts>
  )
}

function Day({ at }: { at: string }) {
  return (
    <Whole dateTime={at} title={formatMoment(at)}>
      {formatDay(at)}
    </Whole>
  )
}

const Whole = styled.time`
  white-space: nowrap;
`
const TagList = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: ${space[1]};
  padding: 0;
  list-style: none;
`

const Facts = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0 ${space[2]};
`

const Quiet = styled.span`
  color: ${color.textQuiet};
  font-size: ${size.sm};
`

const Reference = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 0.375rem;
  font-size: ${size.sm};
  font-variant-numeric: lining-nums tabular-nums;
`
