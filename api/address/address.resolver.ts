import { Args, Authorized, Ctx, Mutation, Query, Resolver } from 'type-graphql'
import { signedIn, type Context } from '../context.ts'
import * as Gql from '../generated/classes.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import { addAddress, listAddresses, removeAddress, updateAddress } from './keep-addresses.ts'
import type { SavedAddress } from './saved-address.entity.ts'

@Resolver(() => Gql.Address)
export class AddressResolver
  implements
    Fields<'Address', SavedAddress>,
    Roots<'Query', 'addresses'>,
    Roots<'Mutation', 'addAddress' | 'updateAddress' | 'removeAddress'>
{
  @Authorized()
  @Query(() => [Gql.Address])
  addresses(@Ctx() context: Context) {
    return listAddresses(context.em, signedIn(context))
  }

  @Authorized()
  @Mutation(() => Gql.AddressPayload)
  addAddress(@Args(() => Gql.MutationAddAddressArgs) { input }: Gql.MutationAddAddressArgs, @Ctx() context: Context) {
    return payload(async () => ({ address: await addAddress(context.em, signedIn(context), input) }))
  }

  @Authorized()
  @Mutation(() => Gql.AddressPayload)
  updateAddress(
    @Args(() => Gql.MutationUpdateAddressArgs) { id, input }: Gql.MutationUpdateAddressArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ address: await updateAddress(context.em, signedIn(context), id, input) }))
  }

  @Authorized()
  @Mutation(() => Gql.AddressPayload)
  removeAddress(
    @Args(() => Gql.MutationRemoveAddressArgs) { id }: Gql.MutationRemoveAddressArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => {
      await removeAddress(context.em, signedIn(context), id)
      return { address: null }
    })
  }
}
