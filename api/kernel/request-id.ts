import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string>()

/** The id of the request being worked on, as in its `X-Request-Id`; undefined for background work. */
export const requestId = (): string | undefined => current.getStore()

/** Whatever `work` begins belongs to this request. */
export const withRequestId = <Result>(id: string, work: () => Result): Result => current.run(id, work)
