import { useSuspenseQuery } from '@apollo/client/react'
import { preorderWords } from '#schema/rules/preorder'
import { ShopDocument } from '../app/Shop.gql.ts'

/** That something is sold, or was ordered, ahead of the day its delivery is expected. */
export function Preorder({ expectedOn }: { expectedOn: string }) {
  const { today } = useSuspenseQuery(ShopDocument).data.shop.delivery
  return preorderWords(expectedOn, today)
}
