import { hasUnsavedWork } from '../account/interruption.ts'

const KEY = 'reloaded'
/** Differs from version to version of the shop. */
const VERSION = import.meta.url

/**
 * Opens an address as a new document, which brings the programs of the shop's newest version: once for each version, for
 * one that is broken would be loaded again and again. Not without a line, nor over work that is not sent.
 */
export function reloadOnce(address: string): void {
  if (hasUnsavedWork() || !navigator.onLine) return
  try {
    if (sessionStorage.getItem(KEY) === VERSION) return
    sessionStorage.setItem(KEY, VERSION)
  } catch {
    // Without storage nobody would know the next time.
    return
  }
  if (new URL(address, location.href).href === location.href) location.reload()
  else location.assign(address)
}
