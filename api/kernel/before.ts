/** What comes of the promise, or the signal if that comes first. */
export function before<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const end = Promise.withResolvers<never>()
  const stop = () => end.reject(signal.reason as Error)
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return Promise.race([promise, end.promise])
}
