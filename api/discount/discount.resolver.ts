import { Args, Authorized, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql'
import { signedIn, type Context } from '../context.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { clock } from '../kernel/clock.ts'
import { payload } from '../kernel/errors.ts'
import * as Gql from '../generated/classes.ts'
import { batched } from '../query/batch.ts'
import { figuresOf } from './code-figures.ts'
import type { DiscountCode } from './discount-code.entity.ts'
import { createCode, createSeriesCodes, listCodes, updateCode } from './manage-codes.ts'

@Resolver(() => Gql.DiscountCode)
export class DiscountResolver
  implements
    Fields<'DiscountCode', DiscountCode>,
    Roots<'Query', 'discountCodes'>,
    Roots<'Mutation', 'createDiscountCode' | 'updateDiscountCode' | 'createSeriesCodes'>
{
  @FieldResolver(() => Gql.DiscountFigures)
  figures(@Root() discount: DiscountCode, @Ctx() { em }: Context) {
    return batched(em, figuresOf, discount.id)
  }

  @FieldResolver(() => Gql.DiscountCodeStatus)
  async status(@Root() discount: DiscountCode, @Ctx() { em }: Context) {
    return discount.statusAt(clock.now(), (await batched(em, figuresOf, discount.id)).taken)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.DiscountCodePage)
  discountCodes(
    @Args(() => Gql.QueryDiscountCodesArgs) { status, page }: Gql.QueryDiscountCodesArgs,
    @Ctx() { em, pageSize }: Context,
  ) {
    return listCodes(em, status ?? null, page ?? 1, pageSize)
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.DiscountCodePayload)
  createDiscountCode(
    @Args(() => Gql.MutationCreateDiscountCodeArgs) { input }: Gql.MutationCreateDiscountCodeArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ discountCode: await createCode(context.em, signedIn(context), input) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.DiscountCodePayload)
  updateDiscountCode(
    @Args(() => Gql.MutationUpdateDiscountCodeArgs) { id, input }: Gql.MutationUpdateDiscountCodeArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ discountCode: await updateCode(context.em, signedIn(context), id, input) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.SeriesCodesPayload)
  async createSeriesCodes(
    @Args(() => Gql.MutationCreateSeriesCodesArgs) { id, count }: Gql.MutationCreateSeriesCodesArgs,
    @Ctx() context: Context,
  ) {
    return Object.assign(
      { codes: [] },
      await payload(async () => ({ codes: await createSeriesCodes(context.em, signedIn(context), id, count) })),
    )
  }
}
