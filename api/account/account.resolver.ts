import { Args, Authorized, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { annotatedType } from '../annotation/annotated-type.ts'
import { signedIn, type Context } from '../context.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import { batched } from '../query/batch.ts'
import { DateTime } from '../kernel/scalars.ts'
import { lastChangeOfAccount } from '../query/last-change.ts'
import * as Gql from '../generated/classes.ts'
import { MAILBOX_PATH } from '../mail/mailbox.ts'
import { connectOrders } from '../order/list-orders.ts'
import { demandPermissions } from '../partner/scopes.ts'
import { keysInForce } from './change-password.ts'
import { cancelEmailChange, confirmEmail, requestEmailConfirmation } from './confirm-email.ts'
import { deleteAccount } from './delete-account.ts'
import { exportAccount } from './export-account.ts'
import { connectUsers, listUsers, userStats, type ConnectedUsers } from './list-users.ts'
import { closeUser, updateUser } from './manage-users.ts'
import { inviteUser } from './invite-user.ts'
import { findOpen } from './open-account.ts'
import { register } from './register.ts'
import { requestPasswordReset, resetPassword } from './reset-password.ts'
import { Session } from './session.entity.ts'
import { identitiesOf } from './linked-identities.ts'
import { linkIdentity, unlinkIdentity } from './link-identity.ts'
import { login } from './sign-in.ts'
import { signInWithProvider } from './sign-in-with-provider.ts'
import { updateProfile } from './update-profile.ts'
import type { User } from './user.entity.ts'

@Resolver(() => Gql.UserConnection)
export class UserConnectionResolver implements Fields<'UserConnection', ConnectedUsers> {
  @FieldResolver(() => Int)
  totalCount(@Root() connection: ConnectedUsers, @Ctx() { mostCounted }: Context) {
    return connection.countAll(mostCounted)
  }
}

@Resolver(() => Gql.User)
export class AccountResolver
  extends annotatedType(Gql.User, 'USER')
  implements
    Fields<'User', User>,
    Roots<'Query', 'viewer' | 'users' | 'usersConnection' | 'userStats' | 'user'>,
    Roots<
      'Mutation',
      | 'register'
      | 'login'
      | 'signInWithProvider'
      | 'linkIdentity'
      | 'unlinkIdentity'
      | 'logout'
      | 'requestPasswordReset'
      | 'resetPassword'
      | 'updateProfile'
      | 'requestEmailConfirmation'
      | 'confirmEmail'
      | 'cancelEmailChange'
      | 'deleteAccount'
      | 'exportAccount'
      | 'inviteUser'
      | 'updateUser'
      | 'deleteUser'
    >
{
  @FieldResolver(() => Boolean)
  emailVerified(@Root() user: User) {
    return user.emailVerifiedAt !== null
  }

  @FieldResolver(() => Boolean)
  hasPassword(@Root() user: User) {
    return Boolean(user.passwordHash)
  }

  @FieldResolver(() => [Gql.LinkedIdentity])
  identities(@Root() user: User, @Ctx() { em }: Context) {
    return batched(em, identitiesOf, user.id)
  }

  @FieldResolver(() => DateTime)
  async updatedAt(@Root() user: User, @Ctx() { em }: Context) {
    return (await batched(em, lastChangeOfAccount, user.id)).updatedAt
  }

  @FieldResolver(() => Int)
  async version(@Root() user: User, @Ctx() { em }: Context) {
    return (await batched(em, lastChangeOfAccount, user.id)).version
  }

  @FieldResolver(() => [String])
  async apiKeyNames(@Root() user: User, @Ctx() { em }: Context) {
    return (await keysInForce(em, user)).map(({ name }) => name)
  }

  @FieldResolver(() => Gql.OrderConnection)
  orders(
    @Root() user: User,
    @Args(() => Gql.UserOrdersArgs) range: Gql.UserOrdersArgs,
    @Ctx() { em, user: asker }: Context,
  ) {
    // Who has just signed in is no asker yet.
    if (asker?.isAdmin && asker.id !== user.id) demandPermissions(asker, ['READ_ORDERS'])
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
  @Query(() => Gql.UserConnection)
  usersConnection(
    @Args(() => Gql.QueryUsersConnectionArgs) { filter, sort, ...range }: Gql.QueryUsersConnectionArgs,
    @Ctx() { em }: Context,
  ) {
    return connectUsers(em, filter ?? {}, sort ?? null, range)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.UserStats)
  userStats(@Ctx() { em }: Context) {
    return userStats(em)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.User, { nullable: true })
  user(@Args(() => Gql.QueryUserArgs) { id }: Gql.QueryUserArgs, @Ctx() { em }: Context) {
    return findOpen(em, id)
  }

  @Mutation(() => Gql.SessionPayload)
  register(@Args(() => Gql.MutationRegisterArgs) { input }: Gql.MutationRegisterArgs, @Ctx() context: Context) {
    return payload(() => register(context, input))
  }

  @Mutation(() => Gql.SessionPayload)
  login(
    @Args(() => Gql.MutationLoginArgs) { email, password, code, device }: Gql.MutationLoginArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => login(context, { email, password, code, device }))
  }

  @Mutation(() => Gql.SessionPayload)
  signInWithProvider(
    @Args(() => Gql.MutationSignInWithProviderArgs) { input }: Gql.MutationSignInWithProviderArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => signInWithProvider(context, input))
  }

  @Authorized()
  @Mutation(() => Gql.UserPayload)
  linkIdentity(
    @Args(() => Gql.MutationLinkIdentityArgs) { credential, proof }: Gql.MutationLinkIdentityArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ user: await linkIdentity(context, credential, proof) }))
  }

  @Authorized()
  @Mutation(() => Gql.UserPayload)
  unlinkIdentity(
    @Args(() => Gql.MutationUnlinkIdentityArgs) { id, proof }: Gql.MutationUnlinkIdentityArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ user: await unlinkIdentity(context, id, proof) }))
  }

  @Mutation(() => Boolean)
  async logout(@Ctx() { em, sessionHash }: Context) {
    if (sessionHash) await em.nativeDelete(Session, { tokenHash: sessionHash })
    return true
  }

  @Mutation(() => Gql.PasswordResetRequestPayload)
  requestPasswordReset(
    @Args(() => Gql.MutationRequestPasswordResetArgs) { email, device }: Gql.MutationRequestPasswordResetArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => {
      await requestPasswordReset(context, email, device ?? null)
      return { mailbox: context.mailTo === 'mailbox' ? MAILBOX_PATH : null }
    })
  }

  @Mutation(() => Gql.PasswordResetPayload)
  resetPassword(
    @Args(() => Gql.MutationResetPasswordArgs) { token, password, revokeApiKeys }: Gql.MutationResetPasswordArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => resetPassword(context, { token, password, revokeApiKeys: revokeApiKeys ?? null }))
  }

  @Authorized()
  @Mutation(() => Gql.SessionPayload)
  updateProfile(
    @Args(() => Gql.MutationUpdateProfileArgs) { input }: Gql.MutationUpdateProfileArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => updateProfile(context, input))
  }

  @Authorized()
  @Mutation(() => Gql.MailRequestPayload)
  requestEmailConfirmation(@Ctx() context: Context) {
    return payload(async () => {
      await requestEmailConfirmation(context)
      return { mailbox: context.mailTo === 'mailbox' ? MAILBOX_PATH : null }
    })
  }

  @Authorized()
  @Mutation(() => Gql.UserPayload)
  confirmEmail(
    @Args(() => Gql.MutationConfirmEmailArgs) { token }: Gql.MutationConfirmEmailArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ user: await confirmEmail(context.em, signedIn(context), token) }))
  }

  @Authorized()
  @Mutation(() => Boolean)
  async cancelEmailChange(@Ctx() context: Context) {
    await cancelEmailChange(context.em, signedIn(context))
    return true
  }

  @Authorized()
  @Mutation(() => Gql.AccountDeletionPayload)
  deleteAccount(
    @Args(() => Gql.MutationDeleteAccountArgs) { proof }: Gql.MutationDeleteAccountArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => {
      await deleteAccount(context, proof)
      return {}
    })
  }

  @Authorized()
  @Mutation(() => Gql.AccountExportPayload)
  exportAccount(
    @Args(() => Gql.MutationExportAccountArgs) { proof }: Gql.MutationExportAccountArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => exportAccount(context, proof))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.UserPayload)
  inviteUser(@Args(() => Gql.MutationInviteUserArgs) { input }: Gql.MutationInviteUserArgs, @Ctx() context: Context) {
    return payload(async () => ({ user: await inviteUser(context, input) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.UserPayload)
  updateUser(
    @Args(() => Gql.MutationUpdateUserArgs) { id, input }: Gql.MutationUpdateUserArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ user: await updateUser(context, id, input) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.UserPayload)
  deleteUser(@Args(() => Gql.MutationDeleteUserArgs) { id }: Gql.MutationDeleteUserArgs, @Ctx() context: Context) {
    return payload(async () => ({ user: await closeUser(context, id) }))
  }
}
