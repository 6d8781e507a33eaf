/** Widths of the smaller copies the shop makes of its own pictures, in pixels. */
export const PICTURE_WIDTHS = [160, 320, 480, 640, 960, 1440] as const

/** What a product has that nobody gave a picture. */
export const NO_PICTURE = '/images/sample.webp'

const WEB_ADDRESS = /^https?:\/\//i
const SCHEME = /^[a-z][a-z\d+.-]*:/i
/** Leading slashes, and the folder some addresses begin with. Browsers take a backslash for a slash. */
const DROPPED = /^[/\\]*(?:backend(?=[/\\]|$)[/\\]*)?/

/**
 * The address of a picture as the shop uses it, SPEC §3: a web address as it is; of anything else a leading "backend"
 * and leading slashes are dropped, and the rest is a path on the API's own host.
 */
export function imageAddress(image: string): string {
  const given = image.trim()
  if (given === '' || SCHEME.test(given)) return given
  return `/${given.replace(DROPPED, '')}`
}

/** Whether it leads anywhere: a web address, or a path on the API's own host. */
export function isImageAddress(image: string): boolean {
  const address = imageAddress(image)
  return WEB_ADDRESS.test(address) || (address.startsWith('/') && address !== '/')
}
