import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import type { EntityManager } from '@mikro-orm/postgresql'
import { present } from '#schema/rules/present'
import type { Context } from '../context.ts'
import { TELL_OF_PRODUCTS } from './note-sources.ts'

/** Of a document that has been run before. */
const known = new WeakMap<OperationDefinitionNode, boolean>()
const chosen = new WeakMap<Context, Promise<EntityManager>>()

/**
 * Has a query that asks for nothing but what is shown to everyone read from a replica, no matter who asks. All else reads from the
 * primary: what belongs to somebody, and every mutation and subscription, with all that these answer.
 */
export function readFromReplicas(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(present(schema.getQueryType()).getFields()) as GraphQLField<unknown, Context>[]) {
    if (!TELL_OF_PRODUCTS.has(field.name)) continue
    const { resolve = defaultFieldResolver } = field
    field.resolve = (source, args, context, info) => {
      if (!context.replicas || !isShownToAll(info)) return resolve(source, args, context, info)
      const choosing = chosen.get(context) ?? context.replicas.em()
      chosen.set(context, choosing)
      return choosing.then(em => {
        context.em = em
        return resolve(source, args, context, info)
      })
    }
  }
  return schema
}

function isShownToAll({ operation, fragments }: GraphQLResolveInfo): boolean {
  const fieldsOf = ({ selections }: SelectionSetNode): FieldNode[] =>
    selections.flatMap(selection => {
      if (selection.kind === 'Field') return [selection]
      if (selection.kind === 'InlineFragment') return fieldsOf(selection.selectionSet)
      return fieldsOf(present(fragments[selection.name.value]).selectionSet)
    })
  const isKnown = known.get(operation)
  if (isKnown !== undefined) return isKnown
  const isShown = fieldsOf(operation.selectionSet).every(
    ({ name }) => TELL_OF_PRODUCTS.has(name.value) || name.value.startsWith('__'),
  )
  known.set(operation, isShown)
  return isShown
}
