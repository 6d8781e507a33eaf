import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'
import { styled } from 'styled-components'
import { depth } from '../theme/z-index.ts'
import { color, motion, radius, size, space } from '../theme/tokens.ts'

const Positioner = styled(Base.Positioner)`
  z-index: ${depth.tooltip};
`
const Popup = styled(Base.Popup)`
  max-width: 18rem;
  padding: ${space[1]} ${space[3]};
  border-radius: ${radius.sm};
  background: ${color.text};
  color: ${color.ground};
  font-size: ${size.sm};
  transition: opacity ${motion.fast};
  &[data-starting-style],
  &[data-ending-style] {
    opacity: 0;
  }
`

/** A few words on hover and focus. The child must be focusable and have an accessible name of its own. */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <Base.Root>
      <Base.Trigger delay={200} render={children} />
      <Base.Portal>
        <Positioner sideOffset={6}>
          <Popup>{text}</Popup>
        </Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
