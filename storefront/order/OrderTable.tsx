import { styled } from 'styled-components'
import { paths } from '../paths.ts'
import { color } from '../theme/tokens.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Money } from '../ui/Money.tsx'
import { Table, Td, Th } from '../ui/Table.tsx'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import { formatDay } from '../ui/dates.ts'
import { Link } from '../ui/Link.tsx'
import type { OrderTableFragment } from './OrderTable.gql.ts'
import { statusWords } from './status-words.ts'

/** A shopper's own orders. */
export function OrderTable({ orders }: { orders: readonly OrderTableFragment[] }) {
  return (
    <Table caption="Your Orders">
      <thead>
        <tr>
          <Th>Order</Th>
          <Th>Date</Th>
          <Th numeric>Total</Th>
          <Th>Paid</Th>
          <Th>Delivered</Th>
          <Th>
            <VisuallyHidden>Invoice</VisuallyHidden>
          </Th>
        </tr>
      </thead>
      <tbody>
        {orders.map(order => (
          <tr key={order.id}>
            <Td label="Order">{order.reference}</Td>
            <Td label="Date">{formatDay(order.createdAt)}</Td>
            <Td label="Total" numeric>
              <Money cents={order.totalPrice} />
            </Td>
            <Td label="Paid">
              {order.paidAt ? formatDay(order.paidAt) : <Missing>{statusWords(order).inList}</Missing>}
            </Td>
            <Td label="Delivered">
              {order.deliveredAt ? (
                formatDay(order.deliveredAt)
              ) : (
                <Missing>{order.isPickup ? 'Not picked up' : 'Not delivered'}</Missing>
              )}
            </Td>
            <Td>
              <LinkButton
                as={Link}
                to={paths.order(order.id)}
                $variant="quiet"
                $size="sm"
                aria-label={`See Invoice of order ${order.reference}`}
              >
                See Invoice
              </LinkButton>
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

const Missing = styled.span`
  color: ${color.textQuiet};
`
