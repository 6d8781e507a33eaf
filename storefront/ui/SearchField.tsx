import { type ComponentProps, use, useEffect, useRef, useState } from 'react'
import { UNSAFE_DataRouterContext as RouterContext, useNavigation } from 'react-router-dom'
import { styled } from 'styled-components'
import { below, color, control, size, space } from '../theme/tokens.ts'
import { controlLook } from './Field.tsx'
import { SearchIcon } from './icons.tsx'

interface SearchFieldProps extends Pick<ComponentProps<'input'>, 'placeholder' | 'maxLength'> {
  /** What it searches, for screen readers. */
  label: string
  /** What is searched for now. */
  value: string
  onSearch: (text: string) => void | Promise<void>
}

const PAUSE_MS = 300

/** Searches a list during typing. */
export function SearchField({ label, value, onSearch, ...rest }: SearchFieldProps) {
  const [draft, setDraft] = useState(value)
  const sent = useRef(value)
  const input = useRef<HTMLInputElement>(null)

  // The address changed in another way: a link, the back button.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setDraft(value)
  }, [value])

  const search = async (text: string) => {
    if (text === sent.current) return
    sent.current = text
    const typing = document.activeElement === input.current
    await onSearch(text)
    // A new page takes the focus; this gives it back to somebody who is typing.
    if (typing) requestAnimationFrame(() => input.current?.focus())
  }

  const latest = useRef(search)
  useEffect(() => {
    latest.current = search
  })
  const router = use(RouterContext)?.router
  const isLeaving = useNavigation().state !== 'idle'
  useEffect(() => {
    // Who has pressed a link meanwhile would be called back. The router knows of that before it is rendered.
    if (isLeaving) return
    const pause = setTimeout(() => {
      if (router?.state.navigation.state === 'idle') void latest.current(draft.trim())
    }, PAUSE_MS)
    return () => clearTimeout(pause)
  }, [draft, isLeaving, router])

  return (
    <Frame>
      <SearchIcon size={18} />
      <input
        {...rest}
        ref={input}
        type="search"
        aria-label={label}
        autoComplete="off"
        enterKeyHint="search"
        value={draft}
        onChange={event => setDraft(event.target.value)}
        onKeyDown={event => event.key === 'Enter' && void search(draft.trim())}
      />
    </Frame>
  )
}

const Frame = styled.span`
  position: relative;
  display: block;
  flex: 1 1 14rem;
  max-width: 24rem;
  svg {
    position: absolute;
    left: ${space[3]};
    top: 50%;
    translate: 0 -50%;
    color: ${color.textQuiet};
    pointer-events: none;
  }
  input {
    ${controlLook}
    min-height: ${control.sm};
    padding-block: ${space[1]};
    padding-left: 2.375rem;
    font-size: ${size.sm};
    ${below.tablet} {
      min-height: ${control.md};
    }
  }
`
