import { ApolloLink, type Observable } from '@apollo/client'
import { OperationTypeNode } from 'graphql'
import { concatMap, defer, finalize, of, shareReplay } from 'rxjs'

type Answers = Observable<ApolloLink.Result>

/** When the same query runs several times at once, all get the answer to the newest request: an older one may predate a change and still arrive later. */
export class NewestLink extends ApolloLink {
  readonly #asked = new Map<string, { newest: Answers; waiting: number }>()

  override request(operation: ApolloLink.Operation, forward: ApolloLink.ForwardFunction): Answers {
    if (operation.operationType !== OperationTypeNode.QUERY) return forward(operation)
    const key = `${operation.operationName} ${JSON.stringify(operation.variables)}`
    return defer(() => {
      const own = forward(operation).pipe(shareReplay({ bufferSize: 1, refCount: true }))
      const asked = this.#asked.get(key) ?? { newest: own, waiting: 0 }
      asked.newest = own
      asked.waiting++
      this.#asked.set(key, asked)
      const lastOf = (answers: Answers): Answers =>
        answers.pipe(concatMap(answer => (asked.newest === answers ? of(answer) : lastOf(asked.newest))))
      return lastOf(own).pipe(
        finalize(() => {
          asked.waiting--
          if (asked.waiting === 0) this.#asked.delete(key)
        }),
      )
    })
  }
}
