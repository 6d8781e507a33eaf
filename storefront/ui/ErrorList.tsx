import { type Ref, useEffect, useRef } from 'react'
import { styled } from 'styled-components'
import { radius, space, weight } from '../theme/tokens.ts'
import { tones } from './tones.ts'

interface ErrorListProps {
  /** Name of the field, and what it is called. */
  fields: readonly { name: string; label: string }[]
  /** Counts the tries: each new one moves the focus to the list. */
  attempt: number
  onGo: (name: string) => void
}

/** The list above a form of the fields that have a problem. Each field shows its own problem. */
export function ErrorList({ fields, attempt, onGo }: ErrorListProps) {
  const list: Ref<HTMLDivElement> = useRef(null)
  useEffect(() => {
    if (attempt > 0) list.current?.focus()
  }, [attempt])
  if (fields.length === 0) return null
  return (
    <Box ref={list} tabIndex={-1} role="group" aria-label="What is to be mended">
      <p>Please look at {fields.length} fields again:</p>
      <ul>
        {fields.map(({ name, label }) => (
          <li key={name}>
            <button type="button" onClick={() => onGo(name)}>
              {label}
            </button>
          </li>
        ))}
      </ul>
    </Box>
  )
}

const Box = styled.div`
  padding: ${space[3]} ${space[4]};
  border-radius: ${radius.md};
  ${tones.danger}
  p {
    font-weight: ${weight.strong};
  }
  ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0 ${space[4]};
    margin: 0;
    padding: 0;
    list-style: none;
  }
  button {
    min-height: 2.75rem;
    padding: 0;
    border: 0;
    background: none;
    font: inherit;
    color: inherit;
    text-decoration: underline;
  }
`
