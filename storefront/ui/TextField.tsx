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

/** For the current password, marked for password managers. */
export const PasswordField = (props: Partial<TextFieldProps>) => (
  <TextField label="Password" required type="password" autoComplete="current-password" {...props} />
)

/** For the code of a second factor. */
export const CodeField = (props: Partial<TextFieldProps>) => (
  <TextField
    label="Code"
    required
    autoComplete="one-time-code"
    maxLength={40}
    hint="From your authenticator app, or a recovery code."
    {...props}
  />
)
