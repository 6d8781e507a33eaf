import { styled } from 'styled-components'
import type { ApiScope } from '../../generated/types.ts'
import { color } from '../../theme/tokens.ts'
import { Badge } from '../../ui/Badge.tsx'

/** Staff are administrators who may not do everything. */
export function RoleBadge({ permissions }: { permissions: readonly ApiScope[] }) {
  if (permissions.length === 0) return <Badge>User</Badge>
  return <Strong>{permissions.includes('ADMIN') ? 'Admin' : 'Staff'}</Strong>
}

/** Roles differ by weight, not by colour: a colour would suggest that something is wrong. */
const Strong = styled(Badge)`
  background: ${color.text};
  color: ${color.ground};
`
