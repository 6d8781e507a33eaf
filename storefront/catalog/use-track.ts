import { useEffect, useRef, useState, useSyncExternalStore } from 'react'

const STILLNESS = '(prefers-reduced-motion: reduce)'
const wantsStillness = () => matchMedia(STILLNESS).matches
const followStillness = (listener: () => void) => {
  const query = matchMedia(STILLNESS)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the browser is asked for less motion. */
export const useStillness = () => useSyncExternalStore(followStillness, wantsStillness, () => false)

/** A box whose children lie side by side, each as wide as the box, and snap: swiping is the browser's own. */
export function useTrack<Box extends HTMLElement>(count: number) {
  const track = useRef<Box>(null)
  const [shown, setShown] = useState(0)
  const still = useStillness()

  /** Where the children are moving to; ahead of `shown` while they move, so that two quick presses are two steps. */
  const target = useRef(0)

  const turnTo = (place: number, behavior: ScrollBehavior = still ? 'instant' : 'smooth') => {
    const box = track.current
    target.current = (place + count) % count
    box?.scrollTo({ left: target.current * box.clientWidth, behavior })
  }
  const turnBy = (steps: number) => turnTo(target.current + steps)

  useEffect(() => {
    const box = track.current
    if (!box) return
    const place = () => Math.round(box.scrollLeft / box.clientWidth)
    const listening = new AbortController()
    const { signal } = listening
    box.addEventListener('scroll', () => setShown(place()), { passive: true, signal })
    box.addEventListener(
      'scrollend',
      () => {
        target.current = place()
      },
      { signal },
    )
    return () => listening.abort()
  }, [])

  return { track, shown, target, turnTo, turnBy }
}
