import { Args, Authorized, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql'
import { signedIn, type Context } from '../context.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import * as Gql from '../generated/classes.ts'
import { MAILBOX_PATH } from '../mail/mailbox.ts'
import { connectOrders } from '../order/list-orders.ts'
import { isId } from '../kernel/validation.ts'
import { listUsers, userStats } from './list-users.ts'
import { closeUser, updateUser } from './manage-users.ts'
import { requestPasswordReset, resetPassword } from './reset-password.ts'
import { Session } from './session.entity.ts'
import { login, register, updateProfile } from './sign-in.ts'
import { User } from './user.entity.ts'

@Resolver(() => Gql.User)
export class AccountResolver
  implements
    Fields<'User', User>,
    Roots<'Query', 'viewer' | 'users' | 'userStats' | 'user'>,
    Roots<'Mutation', 'register' | 'login' | 'logout' | 'requestPasswordReset' | 'resetPassword' | 'updateProfile' | 'updateUser' | 'deleteUser'>
{
  @FieldResolver(() => Boolean)
  emailVerified(@Root() user: User) {
    return user.emailVerifiedAt !== null
  }

  @FieldResolver(() => Gql.OrderConnection)
  orders(@Root() user: User, @Args(() => Gql.UserOrdersArgs) range: Gql.UserOrdersArgs, @Ctx() { em }: Context) {
    return connectOrders(em, { userId: user.id }, null, range)
  }

  @Query(() => Gql.User, { nullable: true })
  viewer(@Ctx() { user }: Context) {
    return user
  }

  @Authorized('ADMIN')
  @Query(() => Gql.UserPage)
  users(@Args(() => Gql.QueryUsersArgs) { filter, sort, page }: Gql.QueryUsersArgs, @Ctx() { em, pageSize }: Context) {
    return listUsers(em, filter ?? {}, sort ?? null, page ?? 1, pageSize)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.UserStats)
  userStats(@Ctx() { em }: Context) {
    return userStats(em)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.User, { nullable: true })
  user(@Args(() => Gql.QueryUserArgs) { id }: Gql.QueryUserArgs, @Ctx() { em }: Context) {
    return isId(id) ? em.findOne(User, { id, closedAt: null }) : null
  }

  @Mutation(() => Gql.SessionPayload)
  register(@Args(() => Gql.MutationRegisterArgs) { input }: Gql.MutationRegisterArgs, @Ctx() { em }: Context) {
    return payload(() => register(em, input))
  }

  @Mutation(() => Gql.SessionPayload)
  login(@Args(() => Gql.MutationLoginArgs) { email, password, code }: Gql.MutationLoginArgs, @Ctx() context: Context) {
    return payload(() => login(context, email, password, code))
  }

  @Mutation(() => Boolean)
  async logout(@Ctx() { em, sessionHash }: Context) {
    if (sessionHash) await em.nativeDelete(Session, { tokenHash: sessionHash })
    return true
  }

  @Mutation(() => Gql.PasswordResetRequestPayload)
  requestPasswordReset(@Args(() => Gql.MutationRequestPasswordResetArgs) { email }: Gql.MutationRequestPasswordResetArgs, @Ctx() context: Context) {
    return payload(async () => {
      await requestPasswordReset(context, email)
      return { mailbox: context.mailTo === 'mailbox' ? MAILBOX_PATH : null }
    })
  }

  @Mutation(() => Gql.PasswordResetPayload)
  resetPassword(@Args(() => Gql.MutationResetPasswordArgs) { token, password }: Gql.MutationResetPasswordArgs, @Ctx() { em }: Context) {
    return payload(async () => {
      await resetPassword(em, token, password)
      return {}
    })
  }

  @Authorized()
  @Mutation(() => Gql.SessionPayload)
  updateProfile(@Args(() => Gql.MutationUpdateProfileArgs) { input }: Gql.MutationUpdateProfileArgs, @Ctx() context: Context) {
    return payload(() => updateProfile(context.em, signedIn(context), input))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.UserPayload)
  updateUser(@Args(() => Gql.MutationUpdateUserArgs) { id, input }: Gql.MutationUpdateUserArgs, @Ctx() context: Context) {
    return payload(async () => ({ user: await updateUser(context.em, signedIn(context), id, input) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.UserPayload)
  deleteUser(@Args(() => Gql.MutationDeleteUserArgs) { id }: Gql.MutationDeleteUserArgs, @Ctx() context: Context) {
    return payload(async () => ({ user: await closeUser(context.em, signedIn(context), id) }))
  }
}
