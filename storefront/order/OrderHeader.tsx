import type { Ref } from 'react'
import { styled } from 'styled-components'
import { zonedMoment } from '#schema/rules/time-zone'
import { color, font, size, space } from '../theme/tokens.ts'
import { Badge } from '../ui/Badge.tsx'
import { Cluster } from '../ui/Cluster.tsx'
import type { OrderDetailsFragment } from './OrderPage.gql.ts'
import { leadOf } from './OrderStory.tsx'
import { statusWords } from './status-words.ts'

interface OrderHeaderProps {
  order: OrderDetailsFragment
  isOwner: boolean
  /** A payment has begun, and its outcome is not known yet. */
  confirming: boolean
  heading: Ref<HTMLHeadingElement>
}

/** Which order it is, and where it stands. */
export function OrderHeader({ order, isOwner, confirming, heading }: OrderHeaderProps) {
  return (
    <Title>
      <h1 ref={heading} tabIndex={-1}>
        Order {order.reference}
      </h1>
      <Cluster $gap={2}>
        {statusWords(order).badges.map(([word, tone]) => (
          <Badge key={word} $variant={tone}>
            {word === 'Unpaid' && confirming ? 'Being confirmed' : word}
          </Badge>
        ))}
        {order.refundedAmount > 0 && <Badge>{order.isRefunded ? 'Refunded' : 'Partly refunded'}</Badge>}
      </Cluster>
      <Lead>{leadOf({ order, isOwner, confirming })}</Lead>
      <p>Placed on {zonedMoment(order.createdAt)}</p>
    </Title>
  )
}

const Lead = styled.p`
  font: ${size.lg} / 1.3 ${font.serif};
`

const Title = styled.header`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space[2]} ${space[4]};
  p {
    flex-basis: 100%;
  }
  p + p {
    color: ${color.textQuiet};
  }
`
