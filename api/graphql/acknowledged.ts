import { defaultFieldResolver, type GraphQLField, type GraphQLSchema } from 'graphql'
import { present } from '#schema/rules/present'
import type { Context } from '../context.ts'
import type { UserError } from '../generated/types.ts'

/** All that these change of what is shown is stock, whose changes are announced by a trigger. */
const MOVE_STOCK = new Set(['placeOrder', 'cancelOrder', 'createPaypalOrder', 'capturePaypalOrder', 'payOrder'])

/** What these change is shown to nobody else, so that nothing is dropped; but their owner may ask a replica for it. */
const OWN_THINGS = new Set([
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
  'noteSearchClick',
  'logout',
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
      const isOwn = OWN_THINGS.has(field.name)
      if (isOwn && !context.replicas) return answer
      if (isOwn || MOVE_STOCK.has(field.name)) await context.eventsHeard()
      else await context.forgetShown()
      return answer
    }
  }
  return schema
}

const isRefusal = (answer: unknown) => ((answer as { userErrors?: UserError[] } | null)?.userErrors ?? []).length > 0
