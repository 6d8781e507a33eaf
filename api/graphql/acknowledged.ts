import { defaultFieldResolver, type GraphQLField, type GraphQLSchema } from 'graphql'
import type { Context } from '../context.ts'
import type { UserError } from '../generated/types.ts'

/**
 * Forgets what visitors are shown when a change was made, over GraphQL and REST alike, and in every process before its
 * answer goes out: who gets it must not see what was before, wherever they ask. What visitors may do besides ordering, and what was refused, shows nowhere.
 */
export function forgetShownOnChange(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()!.getFields()) as GraphQLField<unknown, Context>[]) {
    const { resolve = defaultFieldResolver } = field
    field.resolve = async (source, args, context, info) => {
      const answer: unknown = await resolve(source, args, context, info)
      const isBuyer = context.orderToken !== null || field.name === 'placeOrder'
      if ((context.user || isBuyer) && !isRefusal(answer)) await context.forgetShown()
      return answer
    }
  }
  return schema
}

const isRefusal = (answer: unknown) => ((answer as { userErrors?: UserError[] } | null)?.userErrors ?? []).length > 0
