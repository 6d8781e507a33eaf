import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { from, space, weight } from '../theme/tokens.ts'
import { TextField } from '../ui/TextField.tsx'
import type { ReviewForm } from './review-form.ts'

/** What a knitter may tell besides stars and words: needle, gauge and what became of the yarn. */
export function HowItKnitted({ register, formState: { errors } }: Pick<ReviewForm, 'register' | 'formState'>) {
  const field = (name: 'needle' | 'gauge' | 'project') => ({
    ...register(name),
    optional: true,
    autoComplete: 'off',
    error: errors[name]?.message,
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
