import { Args, Authorized, Ctx, Mutation, Resolver } from 'type-graphql'
import { signedIn, type Context } from '../context.ts'
import type { Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import * as Gql from '../generated/classes.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
} from './second-factor.ts'

@Resolver()
export class SecondFactorResolver implements Roots<
  'Mutation',
  'beginSecondFactor' | 'confirmSecondFactor' | 'disableSecondFactor' | 'renewRecoveryCodes' | 'resetSecondFactor'
> {
  @Authorized()
  @Mutation(() => Gql.SecondFactorSecretPayload)
  beginSecondFactor(
    @Args(() => Gql.MutationBeginSecondFactorArgs) { password }: Gql.MutationBeginSecondFactorArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => beginSecondFactor(context, signedIn(context), password))
  }

  @Authorized()
  @Mutation(() => Gql.RecoveryCodesPayload)
  confirmSecondFactor(
    @Args(() => Gql.MutationConfirmSecondFactorArgs) { code }: Gql.MutationConfirmSecondFactorArgs,
    @Ctx() context: Context,
  ) {
    return withCodes(() => confirmSecondFactor(context, signedIn(context), code))
  }

  @Authorized()
  @Mutation(() => Gql.SecondFactorPayload)
  disableSecondFactor(
    @Args(() => Gql.MutationDisableSecondFactorArgs) { password, code }: Gql.MutationDisableSecondFactorArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => {
      await disableSecondFactor(context, signedIn(context), password, code)
      return {}
    })
  }

  @Authorized()
  @Mutation(() => Gql.RecoveryCodesPayload)
  renewRecoveryCodes(
    @Args(() => Gql.MutationRenewRecoveryCodesArgs) { password, code }: Gql.MutationRenewRecoveryCodesArgs,
    @Ctx() context: Context,
  ) {
    return withCodes(() => renewRecoveryCodes(context, signedIn(context), password, code))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.UserPayload)
  resetSecondFactor(
    @Args(() => Gql.MutationResetSecondFactorArgs) { userId }: Gql.MutationResetSecondFactorArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ user: await resetSecondFactor(context.em, signedIn(context), userId) }))
  }
}

async function withCodes(make: () => Promise<string[]>) {
  const made = await payload<{ recoveryCodes?: string[] }>(async () => ({ recoveryCodes: await make() }))
  return { ...made, recoveryCodes: made.recoveryCodes ?? [] }
}
