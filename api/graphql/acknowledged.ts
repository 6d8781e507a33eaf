import { defaultFieldResolver, type GraphQLField, type GraphQLSchema } from 'graphql'
import { present } from '#schema/rules/present'
import type { Context } from '../context.ts'
import type { UserError } from '../generated/types.ts'
import type { Settled } from '../payment/settle.ts'

/** What these change of what is shown tells of itself: products and reviews by events, stock by a trigger. */
const TOLD = new Set([
  'placeOrder',
  'placeOrderFor',
  'cancelOrder',
  'sendGiftCard',
  'releaseHold',
  'resendOrderLetter',
  'recordPayment',
  'refundOrder',
  'createPaypalOrder',
  'capturePaypalOrder',
  'payOrder',
  'deliverOrder',
  'deliverOrders',
  'annotateOrder',
  'resolveAttention',
  'resolveIncident',
  'annotateUser',
  'fulfilOrder',
  'sendFulfilment',
  'cancelFulfilment',
  'deliverFulfilment',
  'trackFulfilment',
  'returnFulfilment',
  'updateProduct',
  'patchProduct',
  'bulkUpdateProducts',
  'deleteProduct',
  'createReview',
  'hideReview',
  'restoreReview',
  'answerReview',
  'removeReviewPicture',
  'markReviewHelpful',
])

/** What these change, and payments that move no stock, is shown to nobody else, so that nothing is dropped; but their owner may ask a replica for it. */
const OWN_THINGS = new Set([
  'login',
  'logout',
  'register',
  'signInWithProvider',
  'linkIdentity',
  'unlinkIdentity',
  'exportAccount',
  'requestPasswordReset',
  'resetPassword',
  'requestEmailConfirmation',
  'confirmEmail',
  'cancelEmailChange',
  'beginSecondFactor',
  'confirmSecondFactor',
  'disableSecondFactor',
  'renewRecoveryCodes',
  'addAddress',
  'updateAddress',
  'removeAddress',
  'createCart',
  'changeCart',
  'mergeCart',
  'addToStash',
  'removeFromStash',
  'addBell',
  'removeBell',
  'confirmBell',
  'stopBells',
  'noteSearchClick',
  'uploadPicture',
  'uploadReviewPicture',
  'subscribeToNewsletter',
  'confirmNewsletter',
  'unsubscribeFromNewsletter',
  'sendMessage',
])

/**
 * Forgets what visitors are shown when a change was made, over GraphQL and REST alike, and in every process before its
 * answer goes out: who gets it must not see what was before, wherever they ask. What visitors may do besides ordering, and what was refused, shows nowhere.
 */
export function forgetShownOnChange(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(present(schema.getMutationType()).getFields()) as GraphQLField<
    unknown,
    Context
  >[]) {
    const { resolve = defaultFieldResolver } = field
    field.resolve = async (source, args, context, info) => {
      const answer: unknown = await resolve(source, args, context, info)
      const isBuyer = context.orderToken !== null || field.name === 'placeOrder'
      if ((!context.user && !isBuyer) || isRefusal(answer)) return answer
      const isOwn = OWN_THINGS.has(field.name) || movesNoStock(answer)
      if (isOwn && !context.replicas) return answer
      if (isOwn || TOLD.has(field.name)) await context.eventsHeard()
      else await context.forgetShown()
      return answer
    }
  }
  return schema
}

const movesNoStock = (answer: unknown) => (answer as Partial<Settled> | null)?.mayMoveStock === false

const isRefusal = (answer: unknown) => ((answer as { userErrors?: UserError[] } | null)?.userErrors ?? []).length > 0
