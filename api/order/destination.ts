import { countryNamed } from '#schema/rules/countries'
import { whyNotThere } from '#schema/rules/destinations'
import { termsFor, type CartTerms, type Destination } from '#schema/rules/pricing'
import { shippingAddress } from '#schema/rules/shapes/address'
import type { Context } from '../context.ts'

/** As a client names one. */
export const destination = shippingAddress.pick({ country: true, state: true })

const spelled = ({ country, state }: Destination): Destination => ({ country: countryNamed(country), state })

/** What a cart is priced by that goes there, as far as anybody knows. */
export const termsAt = (policy: Context['policy'], to: Destination | null): CartTerms =>
  termsFor(policy, to && spelled(to))

/** Why the shop takes no order for an address; null if it does. */
export const whyUnreachable = (
  { policy: { taxRates }, delivery: { shipsTo } }: Pick<Context, 'policy' | 'delivery'>,
  address: Destination,
) => whyNotThere({ shipsTo, taxRates }, spelled(address))
