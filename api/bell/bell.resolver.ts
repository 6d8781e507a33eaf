import { Args, Authorized, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql'
import { productsById } from '../catalog/list-products.ts'
import { signedIn, type Context } from '../context.ts'
import * as Gql from '../generated/classes.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import { MAILBOX_PATH } from '../mail/mailbox.ts'
import { batched } from '../query/batch.ts'
import { askForBell, confirmBell, listBells, removeBell, stopBells } from './ask-for-bell.ts'
import type { Bell } from './bell.entity.ts'

@Resolver(() => Gql.Bell)
export class BellResolver
  implements
    Fields<'Bell', Bell>,
    Roots<'Query', 'bells'>,
    Roots<'Mutation', 'addBell' | 'removeBell' | 'confirmBell' | 'stopBells'>
{
  @FieldResolver(() => Gql.Product, { nullable: true })
  async product(@Root() { productId }: Bell, @Ctx() { em }: Context) {
    const product = await batched(em, productsById, productId)
    return product?.isForSale ? product : null
  }

  @FieldResolver(() => String, { nullable: true })
  lot(@Root() { lot }: Bell) {
    return lot || null
  }

  @Authorized()
  @Query(() => [Gql.Bell])
  bells(@Ctx() context: Context) {
    return listBells(context.em, signedIn(context))
  }

  @Mutation(() => Gql.BellPayload)
  async addBell(
    @Args(() => Gql.MutationAddBellArgs) { productId, email, lot }: Gql.MutationAddBellArgs,
    @Ctx() context: Context,
  ) {
    return { ...undone(context), ...(await payload(() => askForBell(context, productId, email ?? null, lot))) }
  }

  @Authorized()
  @Mutation(() => Gql.BellPayload)
  async removeBell(
    @Args(() => Gql.MutationRemoveBellArgs) { productId, lot }: Gql.MutationRemoveBellArgs,
    @Ctx() context: Context,
  ) {
    return {
      ...undone(context),
      ...(await payload(() => removeBell(context.em, signedIn(context), productId, lot))),
    }
  }

  @Mutation(() => Gql.BellPayload)
  async confirmBell(
    @Args(() => Gql.MutationConfirmBellArgs) { token }: Gql.MutationConfirmBellArgs,
    @Ctx() context: Context,
  ) {
    return {
      ...undone(context),
      ...(await payload(async () => ({ ...(await confirmBell(context.em, token)), isSet: true }))),
    }
  }

  @Mutation(() => Gql.StopBellsPayload)
  async stopBells(@Args(() => Gql.MutationStopBellsArgs) { token }: Gql.MutationStopBellsArgs, @Ctx() { em }: Context) {
    const { userErrors } = await payload(async () => {
      await stopBells(em, token)
      return {}
    })
    return { stopped: userErrors.length === 0, userErrors }
  }
}

const undone = ({ mailTo }: Context) => ({
  lot: null,
  isSet: false,
  mailbox: mailTo === 'mailbox' ? MAILBOX_PATH : null,
})
