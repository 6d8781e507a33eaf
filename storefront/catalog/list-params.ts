import { useParams, useSearchParams } from 'react-router-dom'
import type { ProductFilter, ProductSort } from '../generated/types.ts'
import { choicesIn, filterOf, sortIn, SORTS } from './list-filter.ts'

const MOST = 2 ** 31 - 1

/** In the address of a search for exactly what was typed, without mended typing errors. */
export const AS_TYPED = 'asTyped'

interface ListParams {
  keyword: string | null
  page: number
  asTyped: boolean
  /** Null for everything. */
  filter: ProductFilter | null
  /** Null for the list's own order. */
  sort: ProductSort | null
}

/** What a list's address asks for. Whatever is not a page number counts as 1; the API moves others into range. */
export function listParams(
  { keyword, pageNumber }: Record<string, string | undefined>,
  search: URLSearchParams,
): ListParams {
  const page = /^\d+$/.test(pageNumber ?? '') ? Number(pageNumber) : 1
  const choices = choicesIn(search)
  const sort = sortIn(search)
  return {
    keyword: keyword?.trim() ? keyword : null,
    page: Math.min(Math.max(page, 1), MOST),
    asTyped: search.has(AS_TYPED),
    filter: Object.keys(choices).length > 0 ? filterOf(choices) : null,
    sort: sort && SORTS[sort].sort,
  }
}

export function useListParams(): ListParams {
  const [search] = useSearchParams()
  return listParams(useParams(), search)
}
