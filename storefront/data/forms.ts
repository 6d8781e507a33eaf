import type { Control, Field, FieldValues, Path, UseFormSetError } from 'react-hook-form'
import type { UserError } from './errors.ts'
import { notify } from '../ui/toast.ts'

/** Whether the form shows the field now. It may hold values that nobody types, and fields that come and go. */
function isShown(fields: Control['_fields'], name: string): boolean {
  const field = fields[name] as Partial<Field> | undefined
  return field?._f?.mount === true
}

/** Shows each refusal beside its field and focuses the first; refusals about no field that is shown become toasts. */
export function showRefusals<Values extends FieldValues>(
  form: { control: Pick<Control, '_fields'>; setError: UseFormSetError<Values> },
  refusals: readonly UserError[],
) {
  let shouldFocus = true
  for (const { field, message } of refusals) {
    const name = field?.at(-1)
    if (name !== undefined && isShown(form.control._fields, name)) {
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
