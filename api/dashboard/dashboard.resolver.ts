import { Args, Authorized, Ctx, Query, Resolver } from 'type-graphql'
import type { Context } from '../context.ts'
import type { Roots } from '../kernel/contract.ts'
import * as Gql from '../generated/classes.ts'
import { dashboard } from './dashboard.ts'
import { setupSteps } from './setup.ts'

@Resolver()
export class DashboardResolver implements Roots<'Query', 'dashboard' | 'setup'> {
  @Authorized('ADMIN')
  @Query(() => Gql.Dashboard)
  dashboard(
    @Args(() => Gql.QueryDashboardArgs) { period, count }: Gql.QueryDashboardArgs,
    @Ctx() { em, timeZone }: Context,
  ) {
    return dashboard(em, { period, count, timeZone })
  }

  @Authorized('ADMIN')
  @Query(() => [Gql.SetupStep])
  setup(@Ctx() context: Context) {
    return setupSteps(context.em, context)
  }
}
