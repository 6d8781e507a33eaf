import type { Destination } from '#schema/rules/pricing'
import type { ShopQuery } from '../app/Shop.gql.ts'

/** The shape that checks a form with an address. */
export const addressShape = async () => (await import('#schema/rules/shapes/address')).labelledAddress

/** Why the shop takes no order for an address; null if it does, or if only the API can say. */
export async function whyNoOrderGoesThere({ delivery, pricingPolicy }: ShopQuery['shop'], address: Destination) {
  const rules = await import('#schema/rules/destinations').catch(() => null)
  return rules && rules.whyNotThere({ shipsTo: delivery.shipsTo, taxRates: pricingPolicy.taxRates }, address)
}
