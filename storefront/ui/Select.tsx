import type { ComponentProps } from 'react'
import { styled } from 'styled-components'
import { color, space } from '../theme/tokens.ts'
import { controlLook, Field, type FieldProps } from './Field.tsx'
import { useFilledIn } from './fill-field.ts'
import { ChevronDownIcon } from './icons.tsx'

const Frame = styled.span`
  position: relative;
  display: block;
  svg {
    position: absolute;
    right: ${space[3]};
    top: 50%;
    translate: 0 -50%;
    pointer-events: none;
    color: ${color.textQuiet};
  }
`
const Native = styled.select`
  ${controlLook}
  appearance: none;
  padding-right: ${space[6]};
  cursor: pointer;
`

/** The select alone; give it an accessible name. */
export function BareSelect({ ref, ...select }: ComponentProps<'select'>) {
  const field = useFilledIn(select.value, ref)
  return (
    <Frame>
      <Native {...select} ref={field} />
      <ChevronDownIcon size={18} />
    </Frame>
  )
}

export type SelectProps = FieldProps & ComponentProps<'select'>

/** The native one: it is the best on phones. Options as children. */
export function Select({ label, hint, error, optional, id, ...select }: SelectProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id}>
      {wiring => <BareSelect {...select} {...wiring} />}
    </Field>
  )
}
