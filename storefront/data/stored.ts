import { useSyncExternalStore } from 'react'

/** A value kept in localStorage. Components that read it follow every change, including those made in other tabs. */
export interface Stored<T> {
  get(): T
  set(value: T): void
  /** The value; on the server and while hydrating always the initial one, so that both render the same page. */
  use(): T
  /** Calls back after every change, until the function it returns is called. */
  subscribe(listener: () => void): () => void
}

/**
 * `parse` gets what JSON.parse found (undefined when there was nothing readable) and must cope with anything.
 * `initial` is stored as an absent key, anything else as JSON of what `toStorage` returns. Without usable storage the value lasts as long as the page.
 */
export function stored<T, Kept = T>(
  key: string,
  initial: T,
  parse: (raw: unknown) => T,
  toStorage: (value: T) => T | Kept = value => value,
): Stored<T> {
  const listeners = new Set<() => void>()
  let current: { value: T } | undefined

  const read = (): T => parse(readJson(key))
  const get = () => (current ??= { value: typeof window === 'undefined' ? initial : read() }).value
  const announce = () => listeners.forEach(listener => listener())

  if (typeof window !== 'undefined') {
    const readAgain = () => {
      current = { value: read() }
      announce()
    }
    window.addEventListener('storage', event => {
      // A null key: the storage was cleared as a whole.
      if (event.key === null || event.key === key) readAgain()
    })
    // A page restored from the back/forward cache has missed all changes since.
    window.addEventListener('pageshow', event => {
      if (event.persisted) readAgain()
    })
  }

  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  return {
    get,
    set(value) {
      current = { value }
      writeJson(key, value === initial ? undefined : toStorage(value))
      announce()
    },
    subscribe,
    use: () => useSyncExternalStore(subscribe, get, () => initial),
  }
}

function readJson(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

function writeJson(key: string, value: unknown) {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Full or forbidden storage: the page still works, it only forgets.
  }
}

const never = () => () => {}

/** False on the server and while hydrating, then true: only then may a component read what the browser has stored. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
