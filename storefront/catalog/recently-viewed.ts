import { stored } from '../data/stored.ts'

const KEPT = 9

/** A product as it was when it was looked at. */
export interface Viewed {
  id: string
  name: string
  image: string
}

const NONE: readonly Viewed[] = []

const isViewed = (raw: unknown): raw is Viewed =>
  typeof raw === 'object' &&
  raw !== null &&
  ['id', 'name', 'image'].every(field => typeof (raw as Record<string, unknown>)[field] === 'string')

const store = stored('recentlyViewed', NONE, raw => (Array.isArray(raw) ? raw.filter(isViewed).slice(0, KEPT) : NONE))

/** The products viewed in this browser, the last first. The list never leaves the browser. */
export const useRecentlyViewed = store.use

export function rememberViewed({ id, name, image }: Viewed) {
  store.set([{ id, name, image }, ...store.get().filter(viewed => viewed.id !== id)].slice(0, KEPT))
}

export const forgetViewed = () => store.set(NONE)
