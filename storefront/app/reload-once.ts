import { hasUnsavedWork } from '../account/interruption.ts'

const KEY = 'reloaded'
/** Differs in each version of the shop. */
const VERSION = import.meta.url

/**
 * Opens an address as a new document, which loads the scripts of the shop's newest version. Only once per version, because
 * a broken version would be loaded again and again. Not while offline, and not while there is unsaved work.
 */
export function reloadOnce(address: string): void {
  if (hasUnsavedWork() || !navigator.onLine) return
  try {
    if (sessionStorage.getItem(KEY) === VERSION) return
    sessionStorage.setItem(KEY, VERSION)
  } catch {
    // Without storage the next attempt would not know about this one.
    return
  }
  if (new URL(address, location.href).href === location.href) location.reload()
  else location.assign(address)
}
