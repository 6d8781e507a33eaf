import type { ComponentProps, ReactNode } from 'react'
import { css, styled } from 'styled-components'
import { color, control, font, motion, radius, weight } from '../theme/tokens.ts'

/** Also for links: `<IconLink as={Link} …>`. */
export const iconButtonLook = css<{ $size?: 'sm' | 'md' }>`
  position: relative;
  display: inline-grid;
  place-items: center;
  flex: none;
  width: ${({ $size = 'md' }) => control[$size]};
  height: ${({ $size = 'md' }) => control[$size]};
  padding: 0;
  border: 0;
  border-radius: ${radius.md};
  background: transparent;
  color: inherit;
  transition: background ${motion.fast};
  &:hover:not(:disabled) {
    background: ${color.band};
  }
  &:disabled {
    color: ${color.textQuiet};
    cursor: not-allowed;
  }
`

const Native = styled.button<{ $size?: 'sm' | 'md' }>`
  ${iconButtonLook}
`

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** What it does, in words. */
  label: string
  size?: 'sm' | 'md'
  children: ReactNode
}

export function IconButton({ label, size, type = 'button', ...rest }: IconButtonProps) {
  return <Native {...rest} type={type} aria-label={label} title={rest.title ?? label} $size={size} />
}

/** A count at the corner of an icon. */
export const CountMark = styled.span`
  position: absolute;
  top: 0.1rem;
  right: 0;
  min-width: 1.25rem;
  padding: 0 0.3rem;
  border-radius: ${radius.pill};
  background: ${color.action};
  color: ${color.onAction};
  font: ${weight.strong} 0.75rem/1.25rem ${font.sans};
  text-align: center;
`
