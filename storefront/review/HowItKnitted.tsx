import type { RefObject } from 'react'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { GAUGE, readNeedle } from '#schema/rules/needle'
import { from, space, weight } from '../theme/tokens.ts'
import { TextField } from '../ui/TextField.tsx'

/** As typed. */
export interface Knitted {
  needle: string
  gauge: string
  project: string
}

type Field = keyof Knitted

export const NOT_TOLD: Knitted = { needle: '', gauge: '', project: '' }

/** Stitches per 10 cm; null when nothing is typed, NaN when it is not a number. */
export const stitchesOf = ({ gauge }: Knitted) => (gauge.trim() ? Number(gauge.replace(',', '.')) : null)

/** What is wrong with each, if anything; the API checks the same. */
export function knittedErrors(knitted: Knitted): { [F in Field]?: string | undefined } {
  const stitches = stitchesOf(knitted)
  return {
    needle:
      knitted.needle.trim() && readNeedle(knitted.needle) === null
        ? 'Please name one needle, such as 4.5 mm or US 7.'
        : undefined,
    gauge:
      stitches === null || (stitches >= GAUGE.min && stitches <= GAUGE.max)
        ? undefined
        : `Please give ${GAUGE.min} to ${GAUGE.max} stitches in 10 cm.`,
  }
}

interface HowItKnittedProps {
  value: Knitted
  onChange: (field: Field, typed: string) => void
  errors: { [F in Field]?: string | undefined }
  refs: { [F in Field]: RefObject<HTMLInputElement | null> }
}

/** What a knitter may tell besides stars and words: needle, gauge and what became of the yarn. */
export function HowItKnitted({ value, onChange, errors, refs }: HowItKnittedProps) {
  const field = (name: Field) => ({
    ref: refs[name],
    optional: true,
    autoComplete: 'off',
    value: value[name],
    onChange: ({ target }: { target: HTMLInputElement }) => onChange(name, target.value),
    error: errors[name],
  })
  return (
    <Fields>
      <legend>How it knitted up</legend>
      <TextField {...field('needle')} label="Needle" placeholder="4.5 mm or US 7" maxLength={limits.productText} />
      <TextField {...field('gauge')} label="Stitches in 10 cm (4 in)" inputMode="decimal" maxLength={6} />
      <TextField {...field('project')} label="What did you knit?" maxLength={limits.project} />
    </Fields>
  )
}

const Fields = styled.fieldset`
  display: grid;
  gap: ${space[4]};
  min-width: 0;
  padding: 0;
  border: 0;
  legend {
    margin-bottom: ${space[3]};
    font-weight: ${weight.strong};
  }
  ${from.tablet} {
    grid-template-columns: 1fr 1fr;
    > :last-child {
      grid-column: 1 / -1;
    }
  }
`
