import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  NetworkStatus,
  type NormalizedCacheObject,
  type OperationVariables,
} from '@apollo/client'
import { wrapperSymbol } from '@apollo/client/react/internal'
import type { DocumentNode } from 'graphql'
import { firstValueFrom } from 'rxjs'
import { ShopCache } from './cache.ts'
import { normalise } from './normalise.ts'

/** How long an unused query is kept in memory. On the server no component ever mounts, so every query counts as unused. */
const KEEP_MS = 1_000

/** What a query answers that is not to be asked: on the server, most of those of somebody's account. */
const SKIPPED = { data: undefined, loading: false, error: undefined, networkStatus: NetworkStatus.ready }

interface Answer {
  query: DocumentNode
  variables: OperationVariables
  data: object
}

/**
 * The client that renders one page on the server. Components get the answers to the loaders' queries exactly as received:
 * nothing changes while a page is rendered, so a cache would only take them apart and put them together again.
 */
export class ServerClient extends ApolloClient {
  readonly #answers = new Map<string, Answer>()

  constructor(link: ApolloLink) {
    super({
      cache: new ShopCache({ keepMs: Infinity }),
      link,
      ssrMode: true,
      devtools: { enabled: false },
      defaultOptions: { react: { suspense: { autoDisposeTimeoutMs: KEEP_MS } } } as ApolloClient.DefaultOptions,
    })
    const known = (query: DocumentNode, options: { variables?: OperationVariables; skip?: boolean } | symbol = {}) => {
      if (typeof options === 'symbol' || options.skip) return SKIPPED
      const answer = this.#answers.get(keyOf(query, options.variables))
      return answer && { data: answer.data, loading: false, error: undefined, networkStatus: NetworkStatus.ready }
    }
    const wrap =
      (hook: (query: DocumentNode, options?: object) => unknown) => (query: DocumentNode, options?: object) =>
        known(query, options) || hook(query, options)
    const { queryManager } = this as unknown as { queryManager: { [wrapperSymbol]: object } }
    queryManager[wrapperSymbol] = { useSuspenseQuery: wrap, useQuery: wrap }

    const ask = this.query
    this.query = (async ({ query, variables = {}, ...others }: ApolloClient.QueryOptions) => {
      if (Object.keys(others).length > 0) return ask({ query, variables, ...others })
      const document = this.cache.transformDocument(query)
      const { data, errors = [] } = await firstValueFrom(
        ApolloLink.execute(this.link, { query: document, variables }, { client: this }),
      )
      if (errors.length > 0 || !data) throw new CombinedGraphQLErrors({ data, errors })
      this.#answers.set(keyOf(query, variables), { query: document, variables, data })
      return { data }
    }) as typeof ask
  }

  /** All answers of this page, in the form of the browser's cache. */
  override extract(): NormalizedCacheObject {
    const { policies } = this.cache as ShopCache
    const state = { ...(super.extract() as NormalizedCacheObject) }
    for (const { query, variables, data } of this.#answers.values()) normalise(state, policies, query, variables, data)
    return state
  }
}

/** The name is enough to identify a query: each operation of the storefront has its own. */
function keyOf(query: DocumentNode, variables: OperationVariables = {}): string {
  const operation = query.definitions.find(node => node.kind === 'OperationDefinition')
  return `${operation?.name?.value} ${JSON.stringify(variables)}`
}
