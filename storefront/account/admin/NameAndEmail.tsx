import type { UseFormRegisterReturn } from 'react-hook-form'
import { limits } from '#schema/rules/limits'
import { TextField } from '../../ui/TextField.tsx'

interface NameAndEmailProps {
  name: UseFormRegisterReturn
  email: UseFormRegisterReturn
  errors: { name?: { message?: string }; email?: { message?: string } }
  /** What there is to know of the address. */
  hint: string
}

/** Who an account is, typed by an administrator. */
export function NameAndEmail({ name, email, errors, hint }: NameAndEmailProps) {
  return (
    <>
      <TextField
        {...name}
        label="Name"
        required
        maxLength={limits.name}
        autoComplete="off"
        error={errors.name?.message}
      />
      <TextField
        {...email}
        label="Email"
        required
        type="email"
        maxLength={limits.email}
        autoComplete="off"
        hint={hint}
        error={errors.email?.message}
      />
    </>
  )
}
