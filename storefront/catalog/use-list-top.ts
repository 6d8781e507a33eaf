import { type RefObject, useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'

/** For the heading of a list: after a press on a page number it is what one sees, and what the keyboard is at. */
export function useListTop(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const location = useLocation()
  const type = useNavigationType()
  useEffect(() => {
    const { toList } = (location.state ?? {}) as { toList?: boolean }
    if (!toList || type !== NavigationType.Push) return
    heading.current?.scrollIntoView()
    // After app/Root.tsx, which takes the focus to the page as a whole.
    queueMicrotask(() => heading.current?.focus({ preventScroll: true }))
  }, [location, type])
  return heading
}
