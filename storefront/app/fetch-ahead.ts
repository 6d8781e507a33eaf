import { matchRoutes, type RouteObject } from 'react-router-dom'
import { fetchAhead } from '../ui/missing-program.ts'

/** Fetches the script of a link's page when somebody points at the link or presses it, before it is followed. */
export function fetchPagesAhead(routes: RouteObject[]): void {
  const fetched = new Set<RouteObject>()
  const look = ({ target }: Event) => {
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="/"]')
    if (!link) return
    for (const { route } of matchRoutes(routes, link) ?? []) {
      if (typeof route.lazy !== 'function' || fetched.has(route)) continue
      fetched.add(route)
      void fetchAhead(route.lazy)
    }
  }
  for (const type of ['pointerover', 'pointerdown', 'focusin']) addEventListener(type, look, { passive: true })
}
