import type { ApiScope } from '../../generated/types.ts'
import { ChoiceList } from '../../ui/ChoiceList.tsx'
import { permissionChoices } from './permissions.ts'

interface PermissionChoicesProps {
  /** What the account may do as it stands. */
  given?: readonly ApiScope[]
  chosen: readonly ApiScope[]
  onChange: (chosen: ApiScope[]) => void
  error: string | undefined
}

export function PermissionChoices({ given = [], chosen, onChange, error }: PermissionChoicesProps) {
  return (
    <ChoiceList
      legend="What they may do"
      choices={permissionChoices(given, chosen)}
      chosen={chosen}
      onChange={onChange}
      error={error}
    />
  )
}
