import type { FastifyRequest } from 'fastify'

/** Where the forms of pages lead that work without a script (decision 037). */
export const FORMS = ['/cart', '/contact', '/login', '/newsletter']

/** More than any of them holds: a message in letters that are sent as nine bytes each. */
export const FORM_BYTES = 50_000

export const isCart = (url: string) => /^\/cart(?:[/?]|$)/.test(url)

/** Whether a page is asked for: whatever has no route of its own. */
export const isPage = ({ routeOptions: { url } }: FastifyRequest) => url === '/*'

/** A page that shows what one visitor sent: rendered for them alone, and never cached. */
export const isPersonal = ({ method, url, headers }: FastifyRequest) =>
  method === 'POST' || (isCart(url) && /(?:^|;\s*)cart=/.test(headers.cookie ?? ''))

/** Whether a page of the shop sent a form. Browsers say so; whatever else sends one has nothing of a visitor's with it. */
export function isOwnForm({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}
