import { Args, Authorized, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { batched } from '../query/batch.ts'
import { productsById } from '../catalog/list-products.ts'
import { isManager, signedIn, type Context } from '../context.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import { openUpload } from '../http/multipart.ts'
import { DateTime } from '../kernel/scalars.ts'
import { lastChangeOfReview } from '../query/last-change.ts'
import * as Gql from '../generated/classes.ts'
import { connectReviews, listAllReviews, type ConnectedReviews } from './list-reviews.ts'
import { answerReview, hideReview, removePicture, restoreReview } from './moderate-reviews.ts'
import type { Review } from './review.entity.ts'
import { shownPictures } from './review.policy.ts'
import { takePicture } from './take-picture.ts'
import { markHelpful, votesOf } from './vote.ts'
import { writeReview } from './write-review.ts'

@Resolver(() => Gql.ReviewConnection)
export class ReviewConnectionResolver implements Fields<'ReviewConnection', ConnectedReviews> {
  @FieldResolver(() => Int)
  totalCount(@Root() connection: ConnectedReviews, @Ctx() { mostCounted }: Context) {
    return connection.countAll(mostCounted)
  }
}

@Resolver(() => Gql.Review)
export class ReviewResolver
  implements
    Fields<'Review', Review>,
    Roots<'Query', 'reviews' | 'reviewsConnection'>,
    Roots<
      'Mutation',
      | 'uploadReviewPicture'
      | 'createReview'
      | 'hideReview'
      | 'removeReviewPicture'
      | 'restoreReview'
      | 'markReviewHelpful'
      | 'answerReview'
    >
{
  @FieldResolver(() => DateTime)
  async updatedAt(@Root() review: Review, @Ctx() { em }: Context) {
    return (await batched(em, lastChangeOfReview, review.id)).updatedAt
  }

  @FieldResolver(() => Int)
  async version(@Root() review: Review, @Ctx() { em }: Context) {
    return (await batched(em, lastChangeOfReview, review.id)).version
  }

  @FieldResolver(() => Gql.Product, { nullable: true })
  async product(@Root() review: Review, @Ctx() context: Context) {
    const product = await batched(context.em, productsById, review.productId)
    return product?.isForSale || isManager(context, 'MODERATE_REVIEWS') ? product : null
  }

  @FieldResolver(() => [Gql.ReviewPicture])
  pictures(@Root() review: Review, @Ctx() context: Context) {
    return shownPictures(context, review)
  }

  @FieldResolver(() => String, { nullable: true })
  hiddenReason(@Root() review: Review, @Ctx() context: Context) {
    return isManager(context, 'MODERATE_REVIEWS') ? review.hiddenReason : null
  }

  @FieldResolver(() => Boolean, { nullable: true })
  viewerFoundHelpful(@Root() { id }: Review, @Ctx() { em, user }: Context) {
    return user ? batched(em, votesOf, { reviewId: id, userId: user.id }) : null
  }

  @Authorized('ADMIN')
  @Query(() => Gql.ReviewPage)
  reviews(
    @Args(() => Gql.QueryReviewsArgs) { filter, sort, page }: Gql.QueryReviewsArgs,
    @Ctx() { em, pageSize }: Context,
  ) {
    return listAllReviews(em, filter ?? {}, sort ?? null, page ?? 1, pageSize)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.ReviewConnection)
  reviewsConnection(
    @Args(() => Gql.QueryReviewsConnectionArgs) { filter, sort, ...range }: Gql.QueryReviewsConnectionArgs,
    @Ctx() { em }: Context,
  ) {
    return connectReviews(em, filter ?? {}, sort ?? null, range)
  }

  @Authorized()
  @Mutation(() => Gql.PicturePayload)
  uploadReviewPicture(
    @Args(() => Gql.MutationUploadReviewPictureArgs) { file }: Gql.MutationUploadReviewPictureArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => takePicture(context, signedIn(context), (await openUpload(file)).content))
  }

  @Authorized()
  @Mutation(() => Gql.ReviewPayload)
  createReview(
    @Args(() => Gql.MutationCreateReviewArgs) { productId, input }: Gql.MutationCreateReviewArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => writeReview(context.em, signedIn(context), productId, input))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ReviewPayload)
  hideReview(
    @Args(() => Gql.MutationHideReviewArgs) { id, reason }: Gql.MutationHideReviewArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => hideReview(context, signedIn(context), id, reason))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ReviewPayload)
  removeReviewPicture(
    @Args(() => Gql.MutationRemoveReviewPictureArgs) { id, image }: Gql.MutationRemoveReviewPictureArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => removePicture(context, signedIn(context), id, image))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ReviewPayload)
  restoreReview(
    @Args(() => Gql.MutationRestoreReviewArgs) { id }: Gql.MutationRestoreReviewArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => restoreReview(context.em, signedIn(context), id))
  }

  @Authorized()
  @Mutation(() => Gql.ReviewPayload)
  markReviewHelpful(
    @Args(() => Gql.MutationMarkReviewHelpfulArgs) { id, helpful }: Gql.MutationMarkReviewHelpfulArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => markHelpful(context.em, signedIn(context), id, helpful))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ReviewPayload)
  answerReview(
    @Args(() => Gql.MutationAnswerReviewArgs) { id, answer }: Gql.MutationAnswerReviewArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => answerReview(context.em, signedIn(context), id, answer ?? null))
  }
}
