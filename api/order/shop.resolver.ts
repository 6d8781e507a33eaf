import { Ctx, Query, Resolver } from 'type-graphql'
import { unitsPerOrder } from '#schema/rules/hold-limits'
import type { Context } from '../context.ts'
import type { Roots } from '../kernel/contract.ts'
import * as Gql from '../generated/classes.ts'

@Resolver()
export class ShopResolver implements Roots<'Query', 'shop'> {
  @Query(() => Gql.Shop)
  shop(@Ctx() { policy, holdLimits }: Context) {
    return { name: 'Skein', currency: 'USD', pricingPolicy: policy, unitsPerOrder: unitsPerOrder(holdLimits) }
  }
}
