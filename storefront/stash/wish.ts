import { stored } from '../data/stored.ts'

/** What a visitor wanted to put into the stash when they were asked to sign in. */
export interface Wish {
  productId: string
  name: string
  /** Milliseconds since 1970. */
  at: number
}

/** A person who signs in later than that is probably somebody else, or has forgotten the wish. */
const AN_HOUR = 3_600_000

function isWish(raw: unknown): raw is Wish {
  const { productId, name, at } = (raw ?? {}) as Partial<Record<keyof Wish, unknown>>
  return typeof productId === 'string' && typeof name === 'string' && typeof at === 'number'
}

export const wish = stored<Wish | null>('stashWish', null, raw =>
  isWish(raw) && Date.now() - raw.at < AN_HOUR ? raw : null,
)
