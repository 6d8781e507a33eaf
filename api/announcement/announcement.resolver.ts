import { Args, Authorized, Ctx, FieldResolver, Mutation, Query, Resolver } from 'type-graphql'
import { signedIn, type Context } from '../context.ts'
import type { Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import * as Gql from '../generated/classes.ts'
import { Announcement, ANNOUNCEMENT } from './announcement.entity.ts'
import { announcementNow, updateAnnouncement } from './update-announcement.ts'

@Resolver(() => Gql.Shop)
export class AnnouncementResolver
  implements Roots<'Query', 'adminAnnouncement'>, Roots<'Mutation', 'updateAnnouncement'>
{
  @FieldResolver(() => Gql.Announcement, { nullable: true })
  announcement(@Ctx() { em }: Context) {
    return announcementNow(em)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.Announcement)
  adminAnnouncement(@Ctx() { em }: Context) {
    return em.findOneOrFail(Announcement, { id: ANNOUNCEMENT })
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.AnnouncementPayload)
  updateAnnouncement(
    @Args(() => Gql.MutationUpdateAnnouncementArgs) { input }: Gql.MutationUpdateAnnouncementArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({
      announcement: await updateAnnouncement(context.em, signedIn(context), input),
    }))
  }
}
