import { useEffect, useEffectEvent, useState } from 'react'
import { styled } from 'styled-components'
import { size } from '../theme/tokens.ts'
import { formatZonedClock } from '../ui/dates.ts'

const MINUTE_MS = 60_000

interface HoldCountdownProps {
  heldUntil: string
  /** Whether the order is downloads alone, of which nothing is set aside. */
  isDownload: boolean
  /** Called once, when the time is over. */
  onOver: () => void
}

/** How long there is still to pay, and the yarn set aside. It is no live region: screen readers read it only when they reach it. */
export function HoldCountdown({ heldUntil, isDownload, onOver }: HoldCountdownProps) {
  const [now, setNow] = useState(Date.now)
  const left = Date.parse(heldUntil) - now
  const isOver = left <= 0
  const over = useEffectEvent(onOver)
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setNow(Date.now()), 5_000)
    return () => clearInterval(timer)
  }, [isOver])
  useEffect(() => {
    if (isOver) over()
  }, [isOver])
  return (
    <Line data-print="hide">
      {isOver ? (
        `The time to pay is over. We are looking whether ${isDownload ? 'it can still be paid' : 'your yarn is still there'}.`
      ) : (
        <>
          <strong>{timeWords(Math.ceil(left / MINUTE_MS))} left to pay.</strong>{' '}
          {isDownload ? 'Please pay until' : 'We keep your yarn for you until'}{' '}
          <time dateTime={heldUntil}>{formatZonedClock(heldUntil)}</time>.
        </>
      )}
    </Line>
  )
}

const HOUR = 60
const DAY = 24 * HOUR

/** Of minutes that have begun. */
export function timeWords(minutes: number): string {
  if (minutes >= 2 * DAY) return `${Math.floor(minutes / DAY)} days`
  if (minutes >= 2 * HOUR) return `${Math.floor(minutes / HOUR)} hours`
  return minutes === 1 ? 'Less than a minute' : `${minutes - 1} ${minutes === 2 ? 'minute' : 'minutes'}`
}

const Line = styled.p`
  min-height: 3.2em;
  font-size: ${size.sm};
`
