import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router-dom'
import type { ProductFacetField } from '../generated/types.ts'
import { AS_TYPED } from './list-params.ts'
import { type Choices, choicesIn, queryOf, sortIn, type SortName } from './list-filter.ts'

/** Marks a move to the same list with other choices: keyboard and page stay where they are. */
export const NARROWS = { keepsPlace: true }

export interface Narrowing {
  choices: Choices
  sort: SortName | null
  /** A list with other choices is on its way. */
  loading: boolean
  /** The first page of the list, narrowed like this. */
  to: (choices: Choices, sort?: SortName | null) => string
  /** Another page of the list as it is. */
  toPage: (page: number) => string
  /** `pressed` keeps its place in the window while things above it come and go. */
  go: (choices: Choices, change?: { sort?: SortName | null; pressed?: Element }) => void
  /** Changes the choices of the moment. Always the same function, so that facets without a change do not render again. */
  press: (change: (choices: Choices) => Choices, pressed: Element) => void
}

/**
 * What the list of this address is narrowed by. A press counts at once, while its list is still loading. The page
 * itself decides about `fixed` facets, so they are not in its address.
 */
export function useNarrowing(pathOf: (page: number) => string, fixed: readonly ProductFacetField[]): Narrowing {
  const here = useLocation()
  const coming = useNavigation().location
  const navigate = useNavigate()
  // The router reports a move a moment later; until then a box that was just ticked must not look unticked again.
  const [pressed, setPressed] = useState<{ on: string; query: string } | null>(null)
  const asked = pressed?.on === here.key ? pressed.query : null
  const onTheWay = coming && (coming.state as typeof NARROWS | null)?.keepsPlace ? coming.search : null
  const loading = (asked ?? onTheWay) !== null
  const search = new URLSearchParams(asked ?? onTheWay ?? here.search)
  const choices = { ...choicesIn(search) }
  for (const field of fixed) delete choices[field]
  const sort = sortIn(search)
  const others = search.has(AS_TYPED) ? [AS_TYPED] : []
  const to: Narrowing['to'] = (next, order = sort) => pathOf(1) + queryOf(next, order, others)
  const held = useRef<{ on: string; element: Element; top: number } | null>(null)
  useLayoutEffect(() => {
    if (!held.current || held.current.on === here.key) return
    const { element, top } = held.current
    held.current = null
    const moved = element.getBoundingClientRect().top - top
    const drawer = element.closest(':popover-open')
    if (element.isConnected && moved !== 0) (drawer ?? window).scrollBy({ top: moved, behavior: 'instant' })
  }, [here.key])
  const go: Narrowing['go'] = (next, { sort: order, pressed: element } = {}) => {
    const address = to(next, order)
    held.current = element ? { on: here.key, element, top: element.getBoundingClientRect().top } : null
    setPressed({ on: here.key, query: address.slice(pathOf(1).length) })
    void navigate(address, { state: NARROWS, preventScrollReset: true })
  }
  const now = useRef({ choices, go })
  useLayoutEffect(() => {
    now.current = { choices, go }
  })
  const press = useCallback<Narrowing['press']>((change, pressed) => {
    const { choices, go } = now.current
    go(change(choices), { pressed })
  }, [])
  return { choices, sort, loading, to, toPage: page => pathOf(page) + queryOf(choices, sort, others), go, press }
}
