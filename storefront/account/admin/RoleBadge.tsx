import { styled } from 'styled-components'
import { color } from '../../theme/tokens.ts'
import { Badge } from '../../ui/Badge.tsx'

export function RoleBadge({ isAdmin }: { isAdmin: boolean }) {
  return isAdmin ? <Strong>Admin</Strong> : <Badge>User</Badge>
}

/** Told apart by weight, not by a colour: nothing is wrong with an admin. */
const Strong = styled(Badge)`
  background: ${color.text};
  color: ${color.ground};
`
