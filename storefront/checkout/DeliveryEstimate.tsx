import { useSuspenseQuery } from '@apollo/client/react'
import { styled } from 'styled-components'
import { dayRangeWords, estimateDelivery, estimateLabel } from '#schema/rules/delivery'
import { ShopDocument } from '../app/Shop.gql.ts'
import { color, size } from '../theme/tokens.ts'

interface DeliveryEstimateProps {
  abroad?: boolean
  to?: string
  isPickup?: boolean | undefined
  /** The day that what is in it is expected at the shop; null when it is there. */
  expectedOn?: string | null
}

/** When a parcel that is paid today arrives, in the shop's own country or abroad, or can be picked up. */
export function DeliveryEstimate({ abroad = false, to, isPickup = false, expectedOn = null }: DeliveryEstimateProps) {
  const { delivery } = useSuspenseQuery(ShopDocument).data.shop
  const range = estimateDelivery(delivery, { day: delivery.today, abroad, isPickup, expectedOn })
  return (
    <Line>
      {estimateLabel(isPickup)}
      {isPickup ? delivery.pickup && ` in ${delivery.pickup.city}` : ` to ${to ?? delivery.country}`}:{' '}
      {dayRangeWords(range)}
    </Line>
  )
}

const Line = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
