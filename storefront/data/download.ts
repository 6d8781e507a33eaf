import { FALLBACK_MESSAGE, SessionExpired } from './errors.ts'
import { fetchShop } from './fetch-shop.ts'

/** Fetches a file that needs the session's token, or the token of a guest's order. */
export async function fetchFile(address: string, token: string | undefined, orderToken?: string): Promise<Blob> {
  const response = await fetchShop(address, {
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(orderToken && { 'x-order-token': orderToken }),
    },
  })
  if (response.ok) return response.blob()
  const body = (await response.json().catch(() => null)) as { message?: string } | null
  const message = body?.message ?? FALLBACK_MESSAGE
  throw token && response.status === 401 ? new SessionExpired(message) : new Error(message)
}

/** Hands a file that was made or fetched in the page to the browser's downloads. */
export function saveFile(file: File) {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = file.name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser has to have started reading it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
