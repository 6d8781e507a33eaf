import { useSuspenseQuery } from '@apollo/client/react'
import { percent } from '#schema/rules/money'
import { ShopDocument } from '../../app/Shop.gql.ts'

/** "Germany 7%, Pennsylvania 0%": where some products are taxed less. Null where none are. */
export function useReducedRates(): string | null {
  const { taxRates } = useSuspenseQuery(ShopDocument).data.shop.pricingPolicy
  const words = taxRates.flatMap(({ country, stateName, reducedBasisPoints }) =>
    reducedBasisPoints === null ? [] : [`${stateName ?? country} ${percent(reducedBasisPoints)}`],
  )
  return words.length > 0 ? [...new Set(words)].join(', ') : null
}
