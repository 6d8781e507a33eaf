/** `fetch` from the shop's own server. Without an answer, browsers have words of their own that help nobody. */
export const fetchShop: typeof fetch = (address, init) =>
  fetch(address, init).catch((error: unknown) => {
    if (init?.signal?.aborted) throw error
    throw new Error('We could not reach the shop. Please check your connection and try again.', { cause: error })
  })
