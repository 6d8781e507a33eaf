import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { color, measure, size, space } from '../theme/tokens.ts'
import { SkeinIcon } from './icons.tsx'

const Wrap = styled.div`
  display: flex;
  flex-direction: column;
  align-items: flex-start;
  gap: ${space[3]};
  max-width: ${measure.text};
  padding-block: ${space[6]};
  > svg {
    color: ${color.textQuiet};
  }
  h2 {
    font-size: ${size.xl};
  }
`

interface EmptyStateProps {
  title: ReactNode
  children?: ReactNode
  /** What to do next. */
  action?: ReactNode
  icon?: ReactNode
}

export function EmptyState({
  title,
  children,
  action,
  icon = <SkeinIcon size={40} strokeWidth={1} />,
}: EmptyStateProps) {
  return (
    <Wrap>
      {icon}
      <h2>{title}</h2>
      {children}
      {action}
    </Wrap>
  )
}
