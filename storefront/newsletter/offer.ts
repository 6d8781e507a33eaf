import { useSuspenseQuery } from '@apollo/client/react'
import { percent } from '#schema/rules/money'
import { ShopDocument } from '../app/Shop.gql.ts'

/** What readers of the newsletter are promised: "15% off". Null while the shop promises nothing. */
export function useOffer(): string | null {
  const { newsletterDiscount } = useSuspenseQuery(ShopDocument).data.shop
  return newsletterDiscount ? `${percent(newsletterDiscount)} off` : null
}

export const monthly = (offer: string | null) =>
  `One email a month${offer ? `, and a code for ${offer} to start with` : ''}.`
