import { Args, Authorized, Ctx, Mutation, Resolver } from 'type-graphql'
import { signedIn, type Context } from '../context.ts'
import type { Fields, Roots } from '../contract.ts'
import { payload } from '../errors.ts'
import * as Gql from '../generated/classes.ts'
import type { Review } from './review.entity.ts'
import { writeReview } from './write-review.ts'

@Resolver(() => Gql.Review)
export class ReviewResolver implements Fields<'Review', Review>, Roots<'Mutation', 'createReview'> {
  @Authorized()
  @Mutation(() => Gql.ReviewPayload)
  createReview(@Args(() => Gql.MutationCreateReviewArgs) { productId, input }: Gql.MutationCreateReviewArgs, @Ctx() context: Context) {
    return payload(() => writeReview(context.em, signedIn(context), productId, input))
  }
}
