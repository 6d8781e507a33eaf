import { type ApolloClient, ApolloLink, type Observable, type ObservableQuery } from '@apollo/client'
import { tap } from 'rxjs'
import type { ShopCache } from './cache.ts'

/**
 * The cache tags of SPEC §3: after a mutation, all cached data that contains the types it changed is stale. What a
 * mutation changes and which Query fields return a type is read from the schema (tags-plugin.mjs).
 */
export class InvalidateLink extends ApolloLink {
  override request(
    operation: ApolloLink.Operation,
    forward: ApolloLink.ForwardFunction,
  ): Observable<ApolloLink.Result> {
    const results = forward(operation)
    const mutations = mutationsOf(operation)
    if (mutations.length === 0) return results
    const stale = staleAfter(mutations)
    return results.pipe(
      tap({
        // Deferred by a turn, so that the mutation's own result is in the cache by then.
        complete: () => void stale.then(isStale => setTimeout(() => invalidate(operation.client, isStale))),
      }),
    )
  }
}

/** Drops stale root fields that no component uses; those on screen keep their data until they have been fetched again. */
export function invalidate(client: ApolloClient, isStale: (fieldName: string) => boolean) {
  const cache = client.cache as ShopCache
  cache.dropUnused(isStale)
  for (const query of client.getObservableQueries('active')) {
    const fieldNames = cache.rootFieldsOf(query.query, query.variables).map(field => field.replace(/[({:].*$/s, ''))
    // The component that uses the query shows when the refetch fails.
    if (fieldNames.some(isStale)) refetchAnew(query)
  }
}

/** Does not share a request for the same query that is already running: its answer may predate the change. */
function refetchAnew(query: ObservableQuery) {
  const { context } = query.options
  query.options.context = { ...context, queryDeduplication: false }
  query.refetch().catch(() => {})
  query.options.context = context
}

let fetched: Promise<typeof import('../generated/tags.ts') | null> | undefined

/** Called once the page is hydrated, so that the tags are not missing when a mutation is already running. */
export const fetchTags = () => (fetched ??= import('../generated/tags.ts').catch(() => null))

function mutationsOf({ query }: ApolloLink.Operation): string[] {
  const operation = query.definitions.find(node => node.kind === 'OperationDefinition')
  if (operation?.operation !== 'mutation') return []
  return operation.selectionSet.selections.flatMap(node => (node.kind === 'Field' ? node.name.value : []))
}

/** Which Query fields are stale after these mutations; all of them where the list of tags cannot be fetched. */
async function staleAfter(mutations: readonly string[]): Promise<(fieldName: string) => boolean> {
  const tags = await fetchTags()
  if (!tags) return () => true
  const types = mutations.flatMap(name => listed(tags.typesChangedBy, name))
  const fields = new Set(types.flatMap(type => listed(tags.queryFieldsOf, type)))
  return field => fields.has(field)
}

function listed(map: Record<string, readonly string[]>, key: string): readonly string[] {
  return map[key] ?? []
}
