import { styled } from 'styled-components'
import { color, size } from '../../theme/tokens.ts'

/** The name of the person who ordered. A guest's email is shown, too, because there is no account to look it up in. */
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
