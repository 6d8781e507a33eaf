import { Args, Authorized, Ctx, Query, Resolver } from 'type-graphql'
import type { Context } from '../context.ts'
import type { Roots } from '../kernel/contract.ts'
import * as Gql from '../generated/classes.ts'
import { taxReport } from './report-tax.ts'

@Resolver()
export class TaxResolver implements Roots<'Query', 'taxReport'> {
  @Authorized('ADMIN')
  @Query(() => Gql.TaxReport)
  taxReport(
    @Args(() => Gql.QueryTaxReportArgs) { from, to }: Gql.QueryTaxReportArgs,
    @Ctx() { em, timeZone, policy: { country } }: Context,
  ) {
    return taxReport(em, { from, to, timeZone, country })
  }
}
