import { useEffect, useSyncExternalStore } from 'react'
import { currentSession, onSessionChange, type UserInfo } from './session.ts'

/** A save that failed because its session had ended; it waits until the same person signs in again. */
export interface Interruption {
  user: UserInfo
  /** Called with true when the same person is signed in again. */
  settle: (signedIn: boolean) => void
}

let current: { interruption: Interruption; settled: Promise<boolean> } | null = null
const listeners = new Set<() => void>()
const announce = () => listeners.forEach(listener => listener())

/** Asks the person to sign in again, once for all waiting saves. Returns whether they can be sent now. */
export function signInAgain(expired: string): Promise<boolean> {
  const user = currentSession()
  if (!user) return Promise.resolve(false)
  // Another save, or another tab, has signed in already.
  if (user.token !== expired) return Promise.resolve(true)
  if (current) return current.settled
  let resolve: (signedIn: boolean) => void
  const settled = new Promise<boolean>(done => (resolve = done))
  // Also notices a sign-in in another tab.
  const unsubscribe = onSessionChange(() => settle(currentSession()?._id === user._id))
  function settle(signedIn: boolean) {
    unsubscribe()
    current = null
    announce()
    resolve(signedIn)
  }
  current = { interruption: { user, settle }, settled }
  announce()
  return settled
}

/** The save that waits for a sign-in, if there is one. */
export function useInterruption(): Interruption | null {
  return useSyncExternalStore(
    subscribe,
    () => current?.interruption ?? null,
    () => null,
  )
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

let unsaved = 0

/** While `when` is true, the page stays when the session ends: something typed on it has not been sent. */
export function useUnsavedWork(when: boolean) {
  useEffect(() => {
    if (!when) return
    unsaved++
    return () => void unsaved--
  }, [when])
}

export const hasUnsavedWork = () => unsaved > 0 || current !== null
