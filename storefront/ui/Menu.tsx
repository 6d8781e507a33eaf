import { Menu as Base } from '@base-ui/react/menu'
import { type ReactElement, type ReactNode, useRef } from 'react'
import { styled } from 'styled-components'
import { depth } from '../theme/z-index.ts'
import { color, control, motion, radius, shadow, size, space } from '../theme/tokens.ts'
import { ChevronDownIcon } from './icons.tsx'
import { MenuTrigger } from './MenuTrigger.tsx'

const Positioner = styled(Base.Positioner)`
  z-index: ${depth.menu};
`
const Popup = styled(Base.Popup)`
  min-width: 11rem;
  padding: ${space[2]};
  background: ${color.raised};
  border: 1px solid ${color.line};
  border-radius: ${radius.md};
  box-shadow: ${shadow};
  transform-origin: var(--transform-origin);
  transition:
    opacity ${motion.fast},
    scale ${motion.fast};
  &[data-starting-style],
  &[data-ending-style] {
    opacity: 0;
    scale: 0.96;
  }
`
const Item = styled(Base.Item)`
  display: flex;
  align-items: center;
  width: 100%;
  min-height: ${control.md};
  padding: 0 ${space[3]};
  border: 0;
  border-radius: ${radius.sm};
  background: none;
  font-size: ${size.md};
  color: ${color.text};
  text-align: left;
  text-decoration: none;
  cursor: pointer;
  outline-offset: -2px;
  &[data-highlighted] {
    background: ${color.band};
  }
`

interface MenuItem {
  label: string
  /** The element to be, for example `<Link to="/profile" />`. */
  link?: ReactElement
  onSelect?: () => void
}

export interface MenuProps {
  label: ReactNode
  items: MenuItem[]
}

/** A button with a list of links and actions under it. Load it lazily: visitors never see one. */
export function Menu({ label, items }: MenuProps) {
  // Beside its button rather than at the end of the page, so that it lies in the same landmark.
  const place = useRef<HTMLSpanElement>(null)
  return (
    <Base.Root>
      <Base.Trigger render={<MenuTrigger />}>
        {label}
        <ChevronDownIcon size={16} />
      </Base.Trigger>
      <span ref={place} />
      <Base.Portal container={place}>
        <Positioner sideOffset={4} align="end">
          <Popup>
            {items.map(item => (
              <Item key={item.label} render={item.link} nativeButton={false} onClick={item.onSelect}>
                {item.label}
              </Item>
            ))}
          </Popup>
        </Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
