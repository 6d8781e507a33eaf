import { useSuspenseQuery } from '@apollo/client/react'
import { styled } from 'styled-components'
import { dayRangeWords, estimateDelivery } from '#schema/rules/delivery'
import { ShopDocument } from '../app/Shop.gql.ts'
import { color, size } from '../theme/tokens.ts'

/** When a parcel that is paid today arrives, in the shop's own country or abroad. */
export function DeliveryEstimate({ abroad = false, to }: { abroad?: boolean; to?: string }) {
  const { delivery } = useSuspenseQuery(ShopDocument).data.shop
  const range = estimateDelivery(delivery, { day: delivery.today, abroad })
  return (
    <Line>
      Estimated delivery to {to ?? delivery.country}: {dayRangeWords(range)}
    </Line>
  )
}

const Line = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
