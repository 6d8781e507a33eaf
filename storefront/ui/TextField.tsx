import type { ComponentProps } from 'react'
import { styled } from 'styled-components'
import { useFilledIn } from './fill-field.ts'
import { controlLook, Field, type FieldProps } from './Field.tsx'

const Input = styled.input`
  ${controlLook}
`

export type TextFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'children'>

/** `ref` and the rest go to the input, so `{...register('email')}` works. */
export function TextField({ label, hint, error, optional, id, ref, ...input }: TextFieldProps) {
  const field = useFilledIn(input.value, ref)
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id}>
      {wiring => <Input {...input} {...wiring} ref={field} />}
    </Field>
  )
}
