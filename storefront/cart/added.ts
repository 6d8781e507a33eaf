import { useSyncExternalStore } from 'react'
import type { CartItem } from './cart.ts'

/** What was put into the cart from a list of products, for the drawer that shows it. */
export interface Added {
  /** The item as it is in the cart now. */
  item: CartItem
  /** The item as it was in the cart before; null when it was not there. */
  before: CartItem | null
}

let current: Added | null = null
const listeners = new Set<() => void>()

/** Opens the drawer. */
export function tellAdded(added: Added) {
  current = added
  listeners.forEach(listener => listener())
}

/** The newest thing that was added on this page of the browser. */
export function useAdded(): Added | null {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  )
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
