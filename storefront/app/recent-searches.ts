import { limits } from '#schema/rules/limits'
import { stored } from '../data/stored.ts'

const KEPT = 6

const NONE: readonly string[] = []

const store = stored('searches', NONE, raw =>
  Array.isArray(raw)
    ? raw.filter((words): words is string => typeof words === 'string' && words.length <= limits.keyword).slice(0, KEPT)
    : NONE,
)

/** What was searched for in this browser, newest first. It never leaves the browser. */
export const useRecentSearches = store.use

export function rememberSearch(words: string) {
  store.set([words, ...store.get().filter(each => each.toLowerCase() !== words.toLowerCase())].slice(0, KEPT))
}

export const forgetSearches = () => store.set(NONE)
