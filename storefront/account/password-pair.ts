import { notify } from '../ui/toast.ts'

const MISMATCH = 'Passwords don’t quite match. Purl-lease try again.'

interface PasswordPair {
  password: string
  confirmPassword: string
}

/** Whether both passwords are equal; says so when they are not. SPEC §5. */
export function passwordsMatch({ password, confirmPassword }: PasswordPair, mark: (message: string) => void): boolean {
  if (password === confirmPassword) return true
  mark('This is not the password above.')
  notify.error(MISMATCH)
  return false
}
