/** Errors of programs that could not be fetched: a newer version removed them, or there is no connection. */
const known = new WeakSet<object>()

export const isMissingProgram = (error: unknown) => typeof error === 'object' && error !== null && known.has(error)

let ahead = 0

/** Fetches a program that may be needed soon. If that fails, it is fetched again when it is needed. */
export async function fetchAhead(load: () => Promise<unknown>): Promise<void> {
  ahead++
  await load().catch(() => {})
  ahead--
}

/** Calls `tell` when a program could not be fetched, with whether it may have been fetched ahead. */
export function onMissingProgram(tell: (isAhead: boolean) => void): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    known.add(payload)
    tell(ahead > 0)
  })
}
