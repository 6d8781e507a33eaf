import type { UseFormRegisterReturn } from 'react-hook-form'
import { limits } from '#schema/rules/limits'
import { TextField } from '../ui/TextField.tsx'

interface NewPasswordFieldsProps {
  password: UseFormRegisterReturn
  confirmPassword: UseFormRegisterReturn
  errors: { password?: { message?: string }; confirmPassword?: { message?: string } }
  label?: string
  hint?: string
  /** Whoever has a password may keep it. */
  optional?: boolean
}

/** A password that is chosen, and the same once more. */
export function NewPasswordFields({
  password,
  confirmPassword,
  errors,
  label = 'New password',
  hint = `At least ${limits.password.min} characters.`,
  optional,
}: NewPasswordFieldsProps) {
  return (
    <>
      <TextField
        {...password}
        label={label}
        required={!optional}
        optional={optional}
        type="password"
        autoComplete="new-password"
        hint={hint}
        error={errors.password?.message}
      />
      <TextField
        {...confirmPassword}
        label="Confirm password"
        required={!optional}
        type="password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
      />
    </>
  )
}
