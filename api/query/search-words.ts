import { limits } from '#schema/rules/limits'

/**
 * The words of a keyword, lower case, each with LIKE's own signs escaped so that `100%` finds only `100%`. Null when
 * the keyword can match nothing: too long, or not storable as text.
 */
function searchWords(keyword: string): string[] | null {
  if (keyword.length > limits.keyword || keyword.includes('\0') || !keyword.isWellFormed()) return null
  return keyword
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map(word => word.replace(/[\\%_]/g, '\\$&'))
}

/** The same as patterns for `like`; none for a search that was left out or is blank. */
export function likeWords(keyword: string | null | undefined): string[] | null {
  return searchWords(keyword ?? '')?.map(word => `%${word}%`) ?? null
}
