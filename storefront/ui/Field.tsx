import { type ReactNode, useId } from 'react'
import { css, styled } from 'styled-components'
import { color, control, motion, radius, size, space, weight } from '../theme/tokens.ts'
import { Problem } from './Problem.tsx'

/** Edges of every control for typing or choosing. */
export const controlLook = css`
  width: 100%;
  min-height: ${control.md};
  padding: ${space[2]} ${space[3]};
  border: 1px solid ${color.lineStrong};
  border-radius: ${radius.md};
  background: ${color.raised};
  color: ${color.text};
  font-size: ${size.md};
  transition: border-color ${motion.fast};
  &::placeholder {
    color: ${color.textQuiet};
    opacity: 1;
  }
  &:hover {
    border-color: ${color.text};
  }
  &[aria-invalid='true'] {
    border-color: ${color.danger};
    box-shadow: inset 0 0 0 1px ${color.danger};
  }
  &:disabled {
    background: ${color.band};
    border-color: ${color.line};
    color: ${color.textQuiet};
    cursor: not-allowed;
  }
`

const Wrap = styled.div`
  display: flex;
  flex-direction: column;
  gap: ${space[1]};
  min-width: 0;
`
const Label = styled.label`
  font-size: ${size.sm};
  font-weight: ${weight.strong};
  span {
    font-weight: ${weight.regular};
    color: ${color.textQuiet};
  }
`
const Hint = styled.p`
  font-size: ${size.xs};
  color: ${color.textQuiet};
`

export interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  /** What is wrong with it, in a sentence. */
  error?: string | null
  /** Adds "(optional)" to the label. */
  optional?: boolean
}

interface Wiring {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** Label, hint and problem around a control; TextField, TextArea and Select are made with it. */
export function Field({
  label,
  hint,
  error,
  optional,
  id: given,
  children,
}: FieldProps & { id?: string; children: (wiring: Wiring) => ReactNode }) {
  const made = useId()
  const id = given ?? made
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <Wrap>
      <Label htmlFor={id}>
        {label}
        {optional && <span> (optional)</span>}
      </Label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined })}
      {hint && <Hint id={`${id}-hint`}>{hint}</Hint>}
      {error && <Problem id={`${id}-error`}>{error}</Problem>}
    </Wrap>
  )
}
