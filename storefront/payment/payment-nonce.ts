/**
 * The nonce that the payment provider's script puts on its own scripts and styles, so that the content security policy
 * allows them. A page is the same for everybody and kept compressed, so the nonce of a response is only in its headers.
 */
export function paymentNonce(): string | undefined {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return page?.serverTiming?.find(({ name }) => name === 'nonce')?.description
}
