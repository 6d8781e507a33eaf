import { useSuspenseQuery } from '@apollo/client/react'
import { styled } from 'styled-components'
import { dayRangeWords, estimateDelivery, estimateLabel } from '#schema/rules/delivery'
import { ShopDocument } from '../app/Shop.gql.ts'
import { color, size } from '../theme/tokens.ts'

interface DeliveryEstimateProps {
  abroad?: boolean
  to?: string
  isPickup?: boolean | undefined
}

/** When a parcel that is paid today arrives, in the shop's own country or abroad, or can be picked up. */
export function DeliveryEstimate({ abroad = false, to, isPickup = false }: DeliveryEstimateProps) {
  const { delivery } = useSuspenseQuery(ShopDocument).data.shop
  const range = estimateDelivery(delivery, { day: delivery.today, abroad, isPickup })
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
