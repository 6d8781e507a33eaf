import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { execute, getOperationAST, type ExecutionResult, type GraphQLSchema } from 'graphql'
import { present } from '#schema/rules/present'
import type { Context } from '../context.ts'
import { costOf } from './operation-cost.ts'
import { timeLimit } from './time-limit.ts'

export interface Executor {
  schema: GraphQLSchema
  /** How long a query may run, in milliseconds. */
  longestMs: number
}

export interface Run<Data, Variables> {
  document: TypedDocumentNode<Data, Variables>
  variables: Variables
  context: Context
  /** The page size its cost is computed with, when it differs from the context's. */
  costsLikePages?: number | undefined
}

/** Runs an operation for a request to another API than GraphQL: its client pays for it, and it has the same time. */
export async function runOperation<Data, Variables>(
  { schema, longestMs }: Executor,
  { document, variables, context, costsLikePages = context.pageSize }: Run<Data, Variables>,
): Promise<ExecutionResult<Data>> {
  const operation = present(getOperationAST(document))
  const variableValues = variables as Record<string, unknown>
  const points = costOf({ schema, document, operation, variables: variableValues, pageSize: costsLikePages })
  if (context.keyUse) context.keyUse.points += points
  await context.purse?.spend(points)
  const done = await context.purse?.turn(points)
  try {
    return (await execute({
      schema,
      document,
      variableValues,
      contextValue: { ...context, stop: timeLimit(operation.operation, longestMs, context.hasLeft) },
    })) as ExecutionResult<Data>
  } finally {
    done?.()
  }
}
