import type { ComponentProps } from 'react'
import { Checkbox } from '../ui/Checkbox.tsx'

/** Offers to revoke the account's API keys too, when a new password shuts out those who knew the old one. */
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
