import { type ReactNode, useId } from 'react'
import { styled } from 'styled-components'
import { color, font, size, space, weight } from '../theme/tokens.ts'
import { Problem } from './Problem.tsx'

export interface Choice<Value extends string> {
  value: Value
  label: string
  /** The heading it is shown under, together with the others of the same group. */
  group?: string
  /** Its name for programs, where they use it. */
  code?: string
  /** What it means, in a sentence. */
  detail: ReactNode
  /** Included in another choice that is made: shown as chosen, and cannot be removed alone. */
  implied?: boolean
}

interface ChoiceListProps<Value extends string> {
  legend: string
  choices: readonly Choice<Value>[]
  chosen: readonly Value[]
  onChange: (chosen: Value[]) => void
  /** What is wrong with it, in a sentence. */
  error?: string | null
}

/** Some of a few things, each with a sentence on what it means. */
export function ChoiceList<Value extends string>({ legend, choices, chosen, onChange, error }: ChoiceListProps<Value>) {
  const id = useId()
  return (
    <Fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend>{legend}</legend>
      {[...new Set(choices.map(({ group }) => group))].map(group => (
        <div key={group ?? ''} {...(group && { role: 'group', 'aria-labelledby': `${id}-${group}` })}>
          {group && <GroupName id={`${id}-${group}`}>{group}</GroupName>}
          {ofGroup(choices, group).map(({ value, label, code, detail, implied }) => (
            <Row key={value}>
              <input
                type="checkbox"
                id={`${id}-${value}`}
                aria-describedby={`${id}-${value}-detail`}
                checked={implied || chosen.includes(value)}
                disabled={implied}
                onChange={event =>
                  onChange(
                    choices
                      .map(choice => choice.value)
                      .filter(each => (each === value ? event.target.checked : chosen.includes(each))),
                  )
                }
              />
              <label htmlFor={`${id}-${value}`}>
                {label} {code && <code>{code}</code>}
              </label>
              <p id={`${id}-${value}-detail`}>{detail}</p>
            </Row>
          ))}
        </div>
      ))}
      {error && <Below id={`${id}-error`}>{error}</Below>}
    </Fieldset>
  )
}

const ofGroup = <Value extends string>(choices: readonly Choice<Value>[], group: string | undefined) =>
  choices.filter(choice => choice.group === group)

const Fieldset = styled.fieldset`
  legend {
    padding: 0;
    margin-bottom: ${space[1]};
    font-size: ${size.sm};
    font-weight: ${weight.strong};
  }
`
const GroupName = styled.p`
  margin-top: ${space[3]};
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
const Row = styled.div`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  column-gap: ${space[3]};
  padding-block: ${space[2]};
  input {
    width: 1.25rem;
    height: 1.25rem;
    margin: 0.15em 0 0;
    accent-color: ${color.accent};
  }
  input:not(:disabled),
  input:not(:disabled) + label {
    cursor: pointer;
  }
  label {
    font-size: ${size.md};
    line-height: 1.4;
  }
  code {
    margin-left: ${space[1]};
    font: ${size.xs} / 1 ${font.mono};
    color: ${color.textQuiet};
    overflow-wrap: anywhere;
  }
  p {
    grid-column: 2;
    font-size: ${size.sm};
    line-height: 1.4;
    color: ${color.textQuiet};
  }
`
const Below = styled(Problem)`
  margin-top: ${space[1]};
`
