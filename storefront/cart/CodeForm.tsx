import { type FormEvent, type RefObject, useState } from 'react'
import { styled } from 'styled-components'
import { messageOf } from '../data/errors.ts'
import { color, size, space, weight } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'

/** What was typed and refused, and why. */
export interface RefusedCode {
  code: string
  message: string
}

interface CodeFormProps {
  label: string
  name: string
  /** What the button says. */
  action: string
  /** Stands in the field at first, to be corrected. */
  refused: RefusedCode | null
  /** Makes use of what was typed, or answers why that cannot be. */
  onApply: (typed: string) => Promise<string | null>
  input: RefObject<HTMLInputElement | null>
}

/** Something that is typed from a letter or a card, and applied. What is refused stays in the field. */
export function CodeForm({ label, name, action, refused, onApply, input }: CodeFormProps) {
  const [typed, setTyped] = useState(refused?.code ?? '')
  const [problem, setProblem] = useState<string | null>(refused?.message ?? null)
  const [asking, setAsking] = useState(false)

  async function apply(event: FormEvent) {
    event.preventDefault()
    if (asking) return
    if (typed.trim() === '') return setProblem('Please enter a code.')
    setAsking(true)
    setProblem(null)
    try {
      const refusal = await onApply(typed.trim())
      setProblem(refusal)
      if (refusal) input.current?.focus()
      else setTyped('')
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setAsking(false)
    }
  }

  return (
    <Form noValidate onSubmit={apply}>
      <TextField
        ref={input}
        label={label}
        name={name}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={100}
        value={typed}
        error={problem}
        onChange={event => setTyped(event.target.value)}
      />
      <Button type="submit" variant="quiet" loading={asking}>
        {action}
      </Button>
    </Form>
  )
}

const Form = styled.form`
  display: flex;
  flex-wrap: wrap;
  gap: ${space[2]} ${space[3]};
  align-items: start;
  > :first-child {
    flex: 1 1 7rem;
  }
  button {
    /* Level with the input, below its label. */
    margin-top: calc(${size.sm} * 1.55 + ${space[1]});
  }
`

/** Around a form, what was applied with it, and what became of that. */
export const CodeBox = styled.div`
  display: grid;
  gap: ${space[2]};
  [role='status'] {
    font-size: ${size.sm};
    color: ${color.textQuiet};
  }
`

/** A code in use, and what takes it away. */
export const AppliedCode = styled.p`
  display: flex;
  justify-content: space-between;
  align-items: center;
  gap: ${space[3]};
  strong {
    font-weight: ${weight.strong};
    letter-spacing: 0.04em;
    overflow-wrap: anywhere;
  }
`
