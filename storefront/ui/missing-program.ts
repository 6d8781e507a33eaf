/** Errors that stand for a program of the shop that could not be fetched: a newer version took it away, or the line is down. */
const known = new WeakSet<object>()

export const isMissingProgram = (error: unknown) => typeof error === 'object' && error !== null && known.has(error)

/** Tells when a program could not be fetched. */
export function onMissingProgram(tell: () => void): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    known.add(payload)
    tell()
  })
}
