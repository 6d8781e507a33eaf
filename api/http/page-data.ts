import { ApolloLink } from '@apollo/client'
import { execute, type ExecutionResult, type GraphQLSchema } from 'graphql'
import { from } from 'rxjs'
import { bytesOf, SharedCache, type Sources } from './shared-cache.ts'

/** The answer to a query of a page, and what it shows. */
interface Answered {
  result: ExecutionResult
  sources: Sources
}

/** Recent answers to the queries of pages: other pages show the same lists, and all of them the same facts of the shop. */
export type PageData = SharedCache<Answered>

export const sharedData = (keepMs: number): PageData =>
  new SharedCache({
    keepMs,
    bytes: 8 * 2 ** 20,
    largest: 2 ** 19,
    // Objects take a little more than three bytes for each letter of their text; measured.
    sizeOf: ({ result }) => 2 * bytesOf(JSON.stringify(result)),
  })

/** Answers the queries of one page, which notes in `sources` what it shows. */
export function dataLink(
  schema: GraphQLSchema,
  data: PageData,
  contextFor: () => Promise<object>,
  sources: Sources,
): ApolloLink {
  const answer = async ({ operationName = '', query: document, variables }: ApolloLink.Operation) => {
    // A name stands for one query: all of them are the storefront's own.
    const { result, sources: shown } = await data.share(
      `${operationName} ${JSON.stringify(variables)}`,
      async own => ({
        result: await execute({
          schema,
          document,
          variableValues: variables,
          contextValue: { ...(await contextFor()), sources: own },
        }),
        sources: own,
      }),
      ({ result: { errors } }) => !errors,
    )
    sources.add(shown)
    return result
  }
  return new ApolloLink(operation => from(answer(operation)))
}
