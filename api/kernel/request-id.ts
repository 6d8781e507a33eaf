import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string>()

/** Names the request that is being worked on, as its answer does in `X-Request-Id`; undefined for work that nobody asked for. */
export const requestId = (): string | undefined => current.getStore()

/** Whatever `work` begins belongs to this request. */
export const withRequestId = <Result>(id: string, work: () => Result): Result => current.run(id, work)
