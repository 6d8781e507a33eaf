/** Errors that stand for a program of the shop that could not be fetched: a newer version took it away, or the line is down. */
const known = new WeakSet<object>()

export const isMissingProgram = (error: unknown) => typeof error === 'object' && error !== null && known.has(error)

let ahead = 0

/** Fetches a program that may be wanted soon. Without it, whoever wants it fetches it. */
export async function fetchAhead(load: () => Promise<unknown>): Promise<void> {
  ahead++
  await load().catch(() => {})
  ahead--
}

/** Tells when a program could not be fetched, and whether it may have been fetched ahead. */
export function onMissingProgram(tell: (isAhead: boolean) => void): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    known.add(payload)
    tell(ahead > 0)
  })
}
