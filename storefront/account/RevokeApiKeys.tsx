import type { ComponentProps } from 'react'
import { Checkbox } from '../ui/Checkbox.tsx'

/** Offers to shut out the programs that act for an account, together with whoever knew its password. */
export function RevokeApiKeys({
  names,
  ...input
}: { names: readonly string[] } & Omit<ComponentProps<typeof Checkbox>, 'label'>) {
  return (
    <Checkbox
      {...input}
      label={
        <>
          Also end the API {names.length === 1 ? 'key' : 'keys'} of this account: {names.join(', ')}
        </>
      }
    />
  )
}
