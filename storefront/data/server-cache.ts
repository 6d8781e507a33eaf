import type { Cache, OperationVariables, Reference } from '@apollo/client'
import { toDiffWithDataState } from '@apollo/client/utilities/internal'
import type { DocumentNode } from 'graphql'
import { isQueryRoot, ShopCache } from './cache.ts'

/** The cache of one page on the server, which forgets nothing and is gone with the page. */
export class ServerCache extends ShopCache {
  /** What each document said since the last writing, by its variables. */
  readonly #answers = new Map<DocumentNode, Map<string, unknown>>()

  constructor() {
    super({ keepMs: Infinity })
  }

  override write<TData, TVariables extends OperationVariables>(
    options: Cache.WriteOptions<TData, TVariables>,
  ): Reference | undefined {
    this.#answers.clear()
    return super.write(options)
  }

  /** A page asks for the same thing three times: when it has come, when it is shown, and to follow it. */
  override diff<TData, TVariables extends OperationVariables>(options: Cache.DiffOptions<TData, TVariables>) {
    const read = () => toDiffWithDataState(super.diff(options))
    if (!isQueryRoot(options.id)) return read()
    const answers = this.#answers.get(options.query) ?? new Map<string, unknown>()
    const variables = JSON.stringify(options.variables ?? {})
    const known = answers.get(variables) as ReturnType<typeof read> | undefined
    if (known) return known
    const answer = read()
    // What to do with a part of it is for each to say.
    if (answer.complete) this.#answers.set(options.query, answers.set(variables, answer))
    return answer
  }
}
