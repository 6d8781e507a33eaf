/** Widths of the smaller copies the shop makes of its own pictures, in pixels. */
export const PICTURE_WIDTHS = [160, 320, 480, 640, 960, 1440] as const

/** Shown for a product without a picture. */
export const NO_PICTURE = '/images/sample.webp'

const WEB_ADDRESS = /^https?:\/\//i
const SCHEME = /^[a-z][a-z\d+.-]*:/i
/** Leading slashes, and the folder that some addresses begin with. Browsers read a backslash as a slash. */
const DROPPED = /^[/\\]*(?:backend(?=[/\\]|$)[/\\]*)?/

/**
 * The address of a picture as the shop uses it, SPEC §3. A web address stays as it is; anything else loses leading
 * slashes and a leading "backend", and the rest is a path on the API's own host.
 */
export function imageAddress(image: string): string {
  const given = image.trim()
  if (given === '' || SCHEME.test(given)) return given
  return `/${given.replace(DROPPED, '')}`
}

/** Whether the address can lead to a picture: it is a web address, or a path on the API's own host. */
export function isImageAddress(image: string): boolean {
  const address = imageAddress(image)
  return WEB_ADDRESS.test(address) || (address.startsWith('/') && address !== '/')
}
