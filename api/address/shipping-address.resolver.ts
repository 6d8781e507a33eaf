import { FieldResolver, Resolver, Root } from 'type-graphql'
import { codeOfCountry, countryNamed } from '#schema/rules/countries'
import * as Gql from '../generated/classes.ts'
import type { Fields } from '../kernel/contract.ts'
import type { ShippingAddress } from '../order/order.entity.ts'

@Resolver(() => Gql.ShippingAddress)
export class ShippingAddressResolver implements Fields<'ShippingAddress', ShippingAddress> {
  @FieldResolver(() => String, { nullable: true })
  countryCode(@Root() { country }: ShippingAddress) {
    return codeOfCountry(countryNamed(country)) ?? null
  }

  @FieldResolver(() => String)
  phone(@Root() { phone }: ShippingAddress) {
    return phone ?? ''
  }

  @FieldResolver(() => Boolean)
  isPickup(@Root() { isPickup }: ShippingAddress) {
    return isPickup ?? false
  }
}
