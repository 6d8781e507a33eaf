import { styled } from 'styled-components'
import { color } from '../../theme/tokens.ts'
import { Badge } from '../../ui/Badge.tsx'

export function RoleBadge({ isAdmin }: { isAdmin: boolean }) {
  return isAdmin ? <Strong>Admin</Strong> : <Badge>User</Badge>
}

/** Roles differ by weight, not by colour: a colour would suggest that something is wrong. */
const Strong = styled(Badge)`
  background: ${color.text};
  color: ${color.ground};
`
