import { styled } from 'styled-components'
import { color, size } from '../../theme/tokens.ts'

/** Who ordered, by name; of a guest the email too, for there is no account to look it up in. */
export function Buyer({ user: { name, email, isGuest } }: { user: { name: string; email: string; isGuest: boolean } }) {
  if (!isGuest) return name
  return (
    <>
      {name} <Guest>Guest, {email}</Guest>
    </>
  )
}

const Guest = styled.small`
  display: block;
  font-size: ${size.sm};
  color: ${color.textQuiet};
  overflow-wrap: anywhere;
`
