import { useParams } from 'react-router-dom'

const MOST = 2 ** 31 - 1

/** Keyword and page of a list's address. What is no page number counts as page 1; the API moves others into range. */
export function listParams({ keyword, pageNumber }: Record<string, string | undefined>): { keyword: string | null; page: number } {
  const page = /^\d+$/.test(pageNumber ?? '') ? Number(pageNumber) : 1
  return { keyword: keyword?.trim() ? keyword : null, page: Math.min(Math.max(page, 1), MOST) }
}

export const useListParams = () => listParams(useParams())
