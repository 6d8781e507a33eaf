import { Ctx, FieldResolver, Int, Query, Resolver } from 'type-graphql'
import { shopCurrency } from '#schema/rules/money'
import { codeOfCountry } from '#schema/rules/countries'
import { dayIn } from '#schema/rules/delivery'
import { unitsPerOrder } from '#schema/rules/hold-limits'
import { present } from '#schema/rules/present'
import type { Context } from '../context.ts'
import { newsletterDiscount } from '../discount/welcome-code.ts'
import { clock } from '../kernel/clock.ts'
import type { Roots } from '../kernel/contract.ts'
import * as Gql from '../generated/classes.ts'

@Resolver(() => Gql.Shop)
export class ShopResolver implements Roots<'Query', 'shop'> {
  @Query(() => Gql.Shop)
  shop(@Ctx() { contact, policy, holdLimits, delivery, returnDays, timeZone, providers }: Context) {
    return {
      name: contact.name,
      currency: shopCurrency(),
      pricingPolicy: { ...policy, taxRates: [...policy.taxRates] },
      unitsPerOrder: unitsPerOrder(holdLimits),
      signInProviders: [...providers.keys()],
      delivery: {
        ...delivery,
        shipsTo: [...delivery.shipsTo],
        countryCode: present(codeOfCountry(delivery.country)),
        today: dayIn(timeZone, clock.now()),
      },
      returnDays,
    }
  }

  @FieldResolver(() => Int, { nullable: true })
  newsletterDiscount(@Ctx() { em }: Context) {
    return newsletterDiscount(em)
  }
}
