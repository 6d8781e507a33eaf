import { useLocation, useNavigate, useParams } from 'react-router-dom'
import type { SortDirection } from '../generated/types.ts'

/** Parameters to set in the address; null removes one. */
type ListChange = Record<string, string | null | undefined>

export interface ListState {
  page: number
  get: (name: string) => string | null
  /** The address with something changed, back on the first page. */
  to: (change: ListChange) => string
  toPage: (page: number) => string
  /** Replaces the current address with `to(change)`. */
  go: (change: ListChange) => Promise<void>
}

const MOST = 2 ** 31 - 1

/**
 * Filters, sorting and page of a list, kept in the address, so that a reload, a bookmark and the back button find the
 * same list. `pathOf` is for lists whose page number is part of the path; the others have `?page=`.
 */
export function useListState(pathOf?: (page: number) => string): ListState {
  const { pathname, search } = useLocation()
  const { pageNumber } = useParams()
  const navigate = useNavigate()
  const params = new URLSearchParams(search)

  function address(page: number, change: ListChange): string {
    const next = new URLSearchParams(search)
    next.delete('page')
    for (const [name, value] of Object.entries(change)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    if (!pathOf && page > 1) next.set('page', String(page))
    const query = next.toString()
    return (pathOf ? pathOf(page) : pathname) + (query && `?${query}`)
  }

  return {
    page: pageOf(pathOf ? pageNumber : params.get('page')),
    get: name => params.get(name),
    to: change => address(1, change),
    toPage: page => address(page, {}),
    go: async change => navigate(address(1, change), { replace: true, preventScrollReset: true }),
  }
}

function pageOf(text: string | null | undefined): number {
  return /^\d+$/.test(text ?? '') ? Math.min(Math.max(Number(text), 1), MOST) : 1
}

/** `value` if it is one of `choices`: people can type any address. */
export function oneOf<T extends string>(value: string | null, choices: readonly T[]): T | null {
  return choices.find(choice => choice.toLowerCase() === value?.toLowerCase()) ?? null
}

/** "price" and "-price" as a column and a direction. Null when the address names none of the columns. */
export function sortOf<Field extends string>(
  text: string | null,
  fields: readonly Field[],
): { field: Field; direction: SortDirection } | null {
  const field = oneOf(text?.replace(/^-/, '') ?? null, fields)
  return field && { field, direction: text?.startsWith('-') ? 'DESC' : 'ASC' }
}
