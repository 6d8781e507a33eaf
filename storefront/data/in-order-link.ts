import { ApolloLink, type Observable } from '@apollo/client'
import { finalize, from, mergeMap } from 'rxjs'

/**
 * Sends operations with the same `inOrder` in their context one after the other. Removing something and putting it back
 * at once sends two requests, and the second could reach the shop first.
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
