import { type ApolloClient, ApolloLink, type Observable, type ObservableQuery } from '@apollo/client'
import { tap } from 'rxjs'
import { queryFieldsOf, typesChangedBy } from '../generated/tags.ts'
import type { ShopCache } from './cache.ts'

/**
 * The cache tags of SPEC §3: after a mutation, all cached data made of the types it changed is stale. What a
 * mutation changes and which Query fields return a type is read off the schema (tags-plugin.mjs).
 */
export class InvalidateLink extends ApolloLink {
  override request(
    operation: ApolloLink.Operation,
    forward: ApolloLink.ForwardFunction,
  ): Observable<ApolloLink.Result> {
    const stale = staleAfter(operation)
    const results = forward(operation)
    if (stale.size === 0) return results
    // A turn later: the mutation's own result is in the cache by then.
    return results.pipe(
      tap({ complete: () => void setTimeout(() => invalidate(operation.client, field => stale.has(field))) }),
    )
  }
}

/** Drops stale root fields nobody looks at; those on screen are fetched again and keep their data until then. */
export function invalidate(client: ApolloClient, isStale: (fieldName: string) => boolean) {
  const cache = client.cache as ShopCache
  cache.dropUnused(isStale)
  for (const query of client.getObservableQueries('active')) {
    const fieldNames = cache.rootFieldsOf(query.query, query.variables).map(field => field.replace(/[({:].*$/s, ''))
    // A failed refetch shows where the query is used.
    if (fieldNames.some(isStale)) refetchAnew(query)
  }
}

/** Does not take the answer to the same question that is under way: it may be from before the change. */
function refetchAnew(query: ObservableQuery) {
  const { context } = query.options
  query.options.context = { ...context, queryDeduplication: false }
  query.refetch().catch(() => {})
  query.options.context = context
}

function staleAfter({ query }: ApolloLink.Operation): Set<string> {
  const operation = query.definitions.find(node => node.kind === 'OperationDefinition')
  if (operation?.operation !== 'mutation') return new Set()
  const mutations = operation.selectionSet.selections.flatMap(node => (node.kind === 'Field' ? node.name.value : []))
  const types = mutations.flatMap(name => listed(typesChangedBy, name))
  return new Set(types.flatMap(type => listed(queryFieldsOf, type)))
}

function listed(map: Record<string, readonly string[]>, key: string): readonly string[] {
  return map[key] ?? []
}
