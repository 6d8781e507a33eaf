import {
  DocumentTransform,
  InMemoryCache,
  type Cache,
  type NormalizedCacheObject,
  type OperationVariables,
  type Reference,
} from '@apollo/client'
import { addTypenameToDocument } from '@apollo/client/utilities'
import type { DocumentNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql'

/** Shared by all caches, so that the server does not transform every document again for each page. */
const withTypenames = new DocumentTransform(addTypenameToDocument)

/**
 * An InMemoryCache that forgets the data of a Query field once no component has used it for `keepMs`, and with it
 * every entity nothing else refers to. SPEC §7: cached data is kept 5 s after it is no longer used.
 *
 * Queries on screen watch the cache, so watchers per root field tell what is in use. A root field is named as
 * Apollo stores it: `products({"page":2})`.
 */
export class ShopCache extends InMemoryCache {
  readonly #keepMs: number
  readonly #watchers = new Map<string, number>()
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()

  constructor({ keepMs }: { keepMs: number }) {
    super({
      // The server renders each page only once: caching what was read would cost a quarter of the rendering time.
      resultCaching: keepMs !== Infinity,
      typePolicies: {
        // Two queries may ask for different facts about one product.
        ProductFacts: { merge: true },
        Product: { fields: { pictures: { merge: false } } },
        Review: { fields: { pictures: { merge: false } } },
      },
    })
    this.#keepMs = keepMs
  }

  override watch<TData, TVariables extends OperationVariables>(
    options: Cache.WatchOptions<TData, TVariables>,
  ): () => void {
    const unwatch = super.watch(options)
    const fields = isQueryRoot(options.id) ? this.rootFieldsOf(options.query, options.variables) : []
    for (const field of fields) this.#watchers.set(field, (this.#watchers.get(field) ?? 0) + 1)
    let watching = true
    return () => {
      unwatch()
      if (!watching) return
      watching = false
      for (const field of fields) this.#watchers.set(field, (this.#watchers.get(field) ?? 1) - 1)
      this.#age(fields)
    }
  }

  override write<TData, TVariables extends OperationVariables>(
    options: Cache.WriteOptions<TData, TVariables>,
  ): Reference | undefined {
    const written = super.write(options)
    // Data fetched ahead of its use is also kept for `keepMs`.
    if (isQueryRoot(options.dataId)) this.#age(this.rootFieldsOf(options.query, options.variables))
    return written
  }

  override transformDocument(document: DocumentNode): DocumentNode {
    return withTypenames.transformDocument(document)
  }

  override restore(state: NormalizedCacheObject): this {
    super.restore(state)
    this.#age(Object.keys(state.ROOT_QUERY ?? {}))
    return this
  }

  /** The root fields a query reads, as they are stored. */
  rootFieldsOf(query: DocumentNode, variables?: Record<string, unknown>): string[] {
    const operation = query.definitions.find(node => node.kind === 'OperationDefinition')
    if (operation?.operation !== 'query') return []
    const fragments = new Map(
      query.definitions
        .filter((node): node is FragmentDefinitionNode => node.kind === 'FragmentDefinition')
        .map(node => [node.name.value, node.selectionSet]),
    )
    const namesIn = ({ selections }: SelectionSetNode): string[] =>
      selections.flatMap(node => {
        if (node.kind === 'InlineFragment') return namesIn(node.selectionSet)
        if (node.kind === 'FragmentSpread') {
          const fragment = fragments.get(node.name.value)
          return fragment ? namesIn(fragment) : []
        }
        if (node.name.value === '__typename') return []
        return this.policies.getStoreFieldName({
          typename: 'Query',
          fieldName: node.name.value,
          field: node,
          variables,
        })
      })
    return namesIn(operation.selectionSet)
  }

  /** Drops the root fields that no component uses and whose name (`products`) is chosen. */
  dropUnused(isChosen: (fieldName: string) => boolean) {
    this.#drop((field, fieldName) => isChosen(fieldName) && !this.#watchers.get(field))
  }

  #age(fields: readonly string[]) {
    if (this.#keepMs === Infinity) return
    for (const field of fields) {
      if (this.#watchers.get(field)) continue
      clearTimeout(this.#timers.get(field))
      this.#timers.set(
        field,
        setTimeout(() => {
          this.#timers.delete(field)
          if (this.#watchers.get(field)) return
          this.#watchers.delete(field)
          this.#drop(stored => stored === field)
        }, this.#keepMs),
      )
    }
  }

  #drop(isChosen: (field: string, fieldName: string) => boolean) {
    this.modify({
      id: 'ROOT_QUERY',
      broadcast: false,
      fields: (value: unknown, { storeFieldName, fieldName, DELETE }) =>
        isChosen(storeFieldName, fieldName) ? DELETE : value,
    })
    this.gc()
  }
}

function isQueryRoot(id: string | undefined): boolean {
  return id === undefined || id === 'ROOT_QUERY'
}
