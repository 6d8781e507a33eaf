import type { ComponentProps } from 'react'
import { styled } from 'styled-components'
import { controlLook, Field, type FieldProps } from './Field.tsx'

const Native = styled.textarea`
  ${controlLook}
  min-height: 7rem;
  line-height: 1.5;
  resize: vertical;
`

export type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, 'children'>

export function TextArea({ label, hint, error, optional, id, ...input }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id}>
      {wiring => <Native {...input} {...wiring} />}
    </Field>
  )
}
