import { Args, Authorized, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql'
import { signedIn, type Context } from '../context.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import * as Gql from '../generated/classes.ts'
import type { ApiKey } from './api-key.entity.ts'
import { batched } from '../query/batch.ts'
import { keyDays } from './count-uses.ts'
import { createKey, listKeys, revokeKey, rotateKey } from './manage-keys.ts'

@Resolver(() => Gql.ApiKey)
export class PartnerResolver
  implements
    Fields<'ApiKey', ApiKey>,
    Roots<'Query', 'apiKeys'>,
    Roots<'Mutation', 'createApiKey' | 'rotateApiKey' | 'revokeApiKey'>
{
  @FieldResolver(() => Gql.User)
  account(@Root() apiKey: ApiKey) {
    return apiKey.account.loadOrFail()
  }

  @FieldResolver(() => [Gql.ApiKeyDay])
  usage(@Root() apiKey: ApiKey, @Ctx() { em }: Context) {
    return batched(em, keyDays, apiKey.id)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.ApiKeyPage)
  apiKeys(@Args(() => Gql.QueryApiKeysArgs) { page }: Gql.QueryApiKeysArgs, @Ctx() { em, pageSize }: Context) {
    return listKeys(em, page ?? 1, pageSize)
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.NewApiKeyPayload)
  createApiKey(
    @Args(() => Gql.MutationCreateApiKeyArgs) { input }: Gql.MutationCreateApiKeyArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => createKey(context.em, signedIn(context), input))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.NewApiKeyPayload)
  rotateApiKey(
    @Args(() => Gql.MutationRotateApiKeyArgs) { id, overlapHours }: Gql.MutationRotateApiKeyArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => rotateKey(context.em, signedIn(context), id, overlapHours))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ApiKeyPayload)
  revokeApiKey(
    @Args(() => Gql.MutationRevokeApiKeyArgs) { id }: Gql.MutationRevokeApiKeyArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ apiKey: await revokeKey(context.em, signedIn(context), id) }))
  }
}
