/**
 * What the payment provider's script marks its own scripts and styles with, for the content security policy to let them
 * in. A page is the same for all and kept packed, so the nonce of each answer is not in it but in its headers.
 */
export function paymentNonce(): string | undefined {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return page?.serverTiming?.find(({ name }) => name === 'nonce')?.description
}
