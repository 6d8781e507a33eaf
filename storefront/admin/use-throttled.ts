import { useEffect, useRef } from 'react'

/** Returns a function that runs `act` once, `ms` milliseconds after its first call, however often it is called until then. */
export function useThrottled(act: () => void, ms: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, ms)
  }
}
