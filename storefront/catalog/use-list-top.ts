import { type RefObject, useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'

/** For the heading of a list: after a press on a page number it is scrolled into view and gets the focus. */
export function useListTop(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const location = useLocation()
  const type = useNavigationType()
  useEffect(() => {
    const { toList } = (location.state ?? {}) as { toList?: boolean }
    if (!toList || type !== NavigationType.Push) return
    heading.current?.scrollIntoView()
    // Runs after app/Root.tsx, which moves the focus to the whole page.
    queueMicrotask(() => heading.current?.focus({ preventScroll: true }))
  }, [location, type])
  return heading
}
