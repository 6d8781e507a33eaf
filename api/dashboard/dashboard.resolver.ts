import { Args, Authorized, Ctx, Query, Resolver } from 'type-graphql'
import type { Context } from '../context.ts'
import type { Roots } from '../kernel/contract.ts'
import * as Gql from '../generated/classes.ts'
import { dashboard } from './dashboard.ts'

@Resolver()
export class DashboardResolver implements Roots<'Query', 'dashboard'> {
  @Authorized('ADMIN')
  @Query(() => Gql.Dashboard)
  dashboard(
    @Args(() => Gql.QueryDashboardArgs) { period, count }: Gql.QueryDashboardArgs,
    @Ctx() { em, timeZone }: Context,
  ) {
    return dashboard(em, { period, count, timeZone })
  }
}
