import { styled } from 'styled-components'
import { type ButtonLook, buttonLook } from './Button.tsx'

/** A link that looks like a button: `<LinkButton as={Link} to={…} $variant="quiet">`. */
export const LinkButton = styled.a<ButtonLook>`
  ${buttonLook}
`
