import { ApolloLink, type Observable } from '@apollo/client'
import { finalize, from, mergeMap } from 'rxjs'

/**
 * Sends what has the same `inOrder` in its context one after the other. Whoever takes a thing out and at once puts it
 * back asks two requests, and the second could be first at the shop.
 */
export class InOrderLink extends ApolloLink {
  readonly #last = new Map<string, Promise<void>>()

  override request(
    operation: ApolloLink.Operation,
    forward: ApolloLink.ForwardFunction,
  ): Observable<ApolloLink.Result> {
    const { inOrder } = operation.getContext() as { inOrder?: string }
    if (inOrder === undefined) return forward(operation)
    const before = this.#last.get(inOrder) ?? Promise.resolve()
    let done = () => {}
    this.#last.set(
      inOrder,
      new Promise(resolve => {
        done = resolve
      }),
    )
    return from(before).pipe(
      mergeMap(() => forward(operation)),
      finalize(done),
    )
  }
}
