import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { styled } from 'styled-components'
import { depth } from '../theme/z-index.ts'
import { below, color, control, motion, radius, shadow, size, space } from '../theme/tokens.ts'
import { VisuallyHidden } from './VisuallyHidden.tsx'

interface InlineEditProps {
  /** For screen readers, for example "Price of Ninepin Sock". */
  label: string
  /** How it reads while nobody edits it. */
  children: ReactNode
  /** What the field starts with. */
  value: string
  inputMode?: 'decimal' | 'numeric'
  /** Saves what was typed. Returns what is wrong with it, or null when it is saved. */
  onSave: (typed: string) => Promise<string | null>
}

/** A value that becomes a field when it is pressed. Enter saves, Escape leaves it as it was; a refusal keeps what was typed. */
export function InlineEdit({ label, children, value, inputMode, onSave }: InlineEditProps) {
  const [draft, setDraft] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const problemId = useId()

  const open = () => {
    flushSync(() => setDraft(value))
    input.current?.select()
  }
  const close = (focus: boolean) => {
    flushSync(() => {
      setDraft(null)
      setProblem(null)
    })
    if (focus) button.current?.focus()
  }
  const save = async () => {
    if (saving || draft === null) return
    if (draft.trim() === value) return close(true)
    setSaving(true)
    const wrong = await onSave(draft.trim())
    setSaving(false)
    if (wrong === null) return close(true)
    setProblem(wrong)
    input.current?.focus()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      void save()
    }
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      close(true)
    }
  }

  if (draft === null) {
    return (
      <Shown ref={button} type="button" onClick={open} title="Edit">
        <VisuallyHidden>{label}: </VisuallyHidden>
        {children}
      </Shown>
    )
  }
  return (
    <Editing>
      <input
        ref={input}
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? problemId : undefined}
        aria-busy={saving || undefined}
        readOnly={saving}
        value={draft}
        inputMode={inputMode}
        autoComplete="off"
        size={Math.max(4, draft.length)}
        onChange={event => setDraft(event.target.value)}
        onKeyDown={press}
        onBlur={() => draft.trim() === value && !saving && close(false)}
      />
      {problem && (
        <Problem id={problemId} role="alert">
          {problem}
        </Problem>
      )}
    </Editing>
  )
}

const Shown = styled.button`
  min-height: ${control.sm};
  min-width: 3rem;
  margin: 0 -${space[2]};
  padding: 0 ${space[2]};
  border: 1px solid transparent;
  border-radius: ${radius.sm};
  background: none;
  text-align: right;
  font-variant-numeric: lining-nums tabular-nums;
  text-decoration: underline dotted ${color.lineStrong};
  text-underline-offset: 0.3em;
  cursor: text;
  transition: border-color ${motion.fast};
  &:hover {
    border-color: ${color.lineStrong};
  }
  ${below.tablet} {
    min-height: ${control.md};
    text-align: left;
  }
`
const Editing = styled.span`
  position: relative;
  display: inline-block;
  margin: 0 -${space[2]};
  input {
    width: 5.5rem;
    height: ${control.sm};
    padding: 0 ${space[2]};
    border: 1px solid ${color.text};
    border-radius: ${radius.sm};
    background: ${color.raised};
    text-align: right;
    font-variant-numeric: lining-nums tabular-nums;
  }
  input[aria-invalid] {
    border-color: ${color.danger};
  }
  input[readonly] {
    color: ${color.textQuiet};
  }
`
const Problem = styled.span`
  position: absolute;
  z-index: ${depth.menu};
  top: calc(100% + ${space[1]});
  right: 0;
  width: max-content;
  max-width: 16rem;
  padding: ${space[2]} ${space[3]};
  border-radius: ${radius.sm};
  background: ${color.dangerGround};
  box-shadow: ${shadow};
  color: ${color.danger};
  font-size: ${size.sm};
  text-align: left;
  white-space: normal;
  ${below.tablet} {
    right: auto;
    left: 0;
    max-width: 11rem;
  }
`
