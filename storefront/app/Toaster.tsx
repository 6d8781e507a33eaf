import { useEffect, useRef } from 'react'
import { resolveValue, type Toast, useToaster } from 'react-hot-toast/headless'
import styled from 'styled-components'
import { depth } from '../theme/z-index.ts'
import { color, motion, radius, shadow, space } from '../theme/tokens.ts'

/** Toasts stay five seconds, top right unless they say otherwise. SPEC §4. */
const DEFAULTS = { duration: 5000, removeDelay: 300, position: 'top-right' } as const

/** More at once would cover the page; the newest come first. */
const MOST = 2

/** The notifications region. Pointing at it, or switching to another window, stops the clock; Alt+T moves the focus there. */
export default function Toaster() {
  const region = useRef<HTMLElement>(null)
  /** Why the clock is stopped; it continues when the last reason is gone. */
  const reasons = useRef(new Set<string>())
  const {
    toasts,
    handlers: { startPause, endPause },
  } = useToaster(DEFAULTS)

  useEffect(() => {
    const focusRegion = (event: KeyboardEvent) => {
      if (!event.altKey || event.code !== 'KeyT') return
      event.preventDefault()
      region.current?.focus()
    }
    const here = region.current
    if (!here) return
    const listening = new AbortController()
    const { signal } = listening
    window.addEventListener('keydown', focusRegion, { signal })
    for (const [target, away, back] of [
      [window, 'blur', 'focus'],
      [here, 'mouseenter', 'mouseleave'],
      [here, 'focusin', 'focusout'],
    ] as const) {
      target.addEventListener(
        away,
        () => {
          if (reasons.current.size === 0) startPause()
          reasons.current.add(away)
        },
        { signal },
      )
      target.addEventListener(
        back,
        () => {
          if (reasons.current.delete(away) && reasons.current.size === 0) endPause()
        },
        { signal },
      )
    }
    return () => listening.abort()
  }, [startPause, endPause])

  const stack = (position: Toast['position']) =>
    toasts.filter(toast => (toast.position ?? DEFAULTS.position) === position).slice(0, MOST)
  return (
    <section ref={region} aria-label="Notifications" tabIndex={-1}>
      {(['top-right', 'bottom-center'] as const).map(position => (
        <Stack key={position} $position={position} aria-live="polite">
          {stack(position).map(toast => (
            <Message
              key={toast.id}
              $kind={kindOf(toast)}
              $visible={toast.visible}
              role={toast.type === 'error' ? 'alert' : undefined}
            >
              {resolveValue(toast.message, toast)}
            </Message>
          ))}
        </Stack>
      ))}
    </section>
  )
}

type Kind = 'success' | 'danger' | 'warning'

function kindOf(toast: Toast): Kind {
  if (toast.type === 'error') return 'danger'
  return toast.className === 'warning' ? 'warning' : 'success'
}

/** The header's controls stay in reach: its first row is a phone's 4 rem high, and 4.75 rem elsewhere. */
const belowHeader = '5rem'

const Stack = styled.div<{ $position: 'top-right' | 'bottom-center' }>`
  position: fixed;
  z-index: ${depth.toast};
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[2]};
  inset-inline: ${space[4]};
  max-width: 24rem;
  ${({ $position }) =>
    $position === 'top-right' ? `top: ${belowHeader}; margin-left: auto;` : `bottom: ${space[5]}; margin-inline: auto;`}
`

const Message = styled.div<{ $kind: Kind; $visible: boolean }>`
  padding: ${space[3]} ${space[4]};
  border-radius: ${radius.md};
  border-left: 3px solid ${({ $kind }) => color[$kind]};
  background: ${color.raised};
  box-shadow: ${shadow};
  opacity: ${({ $visible }) => ($visible ? 1 : 0)};
  translate: 0 ${({ $visible }) => ($visible ? '0' : '-0.5rem')};
  transition:
    opacity ${motion.medium},
    translate ${motion.medium};
  @starting-style {
    opacity: 0;
    translate: 0 -0.5rem;
  }
`
