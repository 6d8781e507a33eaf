import { useParams, useSearchParams } from 'react-router-dom'

const MOST = 2 ** 31 - 1

/** In the address of a search for exactly what was typed, without mended typing errors. */
export const AS_TYPED = 'asTyped'

interface ListParams {
  keyword: string | null
  page: number
  asTyped: boolean
}

/** Keyword and page of a list's address. What is no page number counts as page 1; the API moves others into range. */
export function listParams(
  { keyword, pageNumber }: Record<string, string | undefined>,
  search: URLSearchParams,
): ListParams {
  const page = /^\d+$/.test(pageNumber ?? '') ? Number(pageNumber) : 1
  return {
    keyword: keyword?.trim() ? keyword : null,
    page: Math.min(Math.max(page, 1), MOST),
    asTyped: search.has(AS_TYPED),
  }
}

export function useListParams(): ListParams {
  const [search] = useSearchParams()
  return listParams(useParams(), search)
}
