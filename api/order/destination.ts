import { countryNamed } from '#schema/rules/countries'
import { pickupLines } from '#schema/rules/delivery'
import { whyNotThere } from '#schema/rules/destinations'
import { termsFor, type CartTerms, type Destination } from '#schema/rules/pricing'
import { orderAddress } from '#schema/rules/shapes/address'
import type { Context } from '../context.ts'
import { refuse } from '../kernel/errors.ts'

/** As a client names one. */
export const destination = orderAddress.pick({ country: true, state: true, postalCode: true, isPickup: true })

/** Where an order goes: for one that is picked up the shop's own address, whatever the client gave. Refused where there is none. */
export function resolveAddress<Address extends Destination>(
  { delivery: { country, pickup } }: Pick<Context, 'delivery'>,
  to: Address,
): Address {
  if (!to.isPickup) return to
  if (pickup) return { ...to, ...pickupLines(country, pickup) }
  throw refuse('INVALID', 'Orders cannot be picked up at this shop. Please give an address.', {
    field: ['shippingAddress', 'isPickup'],
  })
}

const spelled = ({ country, ...to }: Destination): Destination => ({ ...to, country: countryNamed(country) })

/** What a cart is priced by that goes there, as far as anybody knows. */
export const termsAt = (policy: Context['policy'], to: Destination | null): CartTerms =>
  termsFor(policy, to && spelled(to))

/** Why the shop takes no order for an address; null if it does. */
export const whyUnreachable = (
  { policy: { taxRates }, delivery: { shipsTo } }: Pick<Context, 'policy' | 'delivery'>,
  address: Destination,
) => whyNotThere({ shipsTo, taxRates }, spelled(address))
