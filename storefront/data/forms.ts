import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import type { UserError } from './errors.ts'
import { notify } from '../ui/toast.ts'

/** Shows each refusal beside its field and focuses the first; refusals about no field become toasts. */
export function showRefusals<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, 'getValues' | 'setError'>,
  refusals: readonly UserError[],
) {
  let shouldFocus = true
  for (const { field, message } of refusals) {
    const name = field?.at(-1)
    if (name !== undefined && name in form.getValues()) {
      form.setError(name as Path<Values>, { type: 'server', message }, { shouldFocus })
      shouldFocus = false
    } else {
      notify.error(message)
    }
  }
}

/** The problem of a list as a whole, or of the first wrong item in it. */
export const problemOfList = (error: { message?: string } | undefined): string | undefined =>
  error?.message ?? Object.values<{ message?: string }>({ ...(error as object) }).find(each => each?.message)?.message
