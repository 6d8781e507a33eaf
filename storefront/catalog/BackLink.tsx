import type { MouseEvent } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { styled } from 'styled-components'
import { color, control, size, space } from '../theme/tokens.ts'
import { ArrowLeftIcon } from '../ui/icons.tsx'
import { Link } from '../ui/Link.tsx'

/** With `history`, goes back to where the visitor was in the list. Visitors who came from elsewhere go to `to`. */
export function BackLink({ to, history = false }: { to: string; history?: boolean }) {
  const navigate = useNavigate()
  const { key } = useLocation()
  const goBack = (event: MouseEvent) => {
    if (!history || (key === 'default' && !followedLink()) || event.metaKey || event.ctrlKey) return
    event.preventDefault()
    void navigate(-1)
  }
  return (
    <Back to={to} onClick={goBack}>
      <ArrowLeftIcon size={18} />
      Go Back
    </Back>
  )
}

/** A link that was pressed before hydration loads a new document; the list is still one step back in the history. */
const followedLink = () => window.history.length > 1 && document.referrer.startsWith(`${location.origin}/`)

const Back = styled(Link)`
  display: inline-flex;
  align-items: center;
  gap: ${space[2]};
  min-height: ${control.md};
  font-size: ${size.sm};
  color: ${color.textQuiet};
  text-decoration: none;
  &:hover {
    color: ${color.text};
    text-decoration: underline;
  }
`
