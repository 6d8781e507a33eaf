import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { color, size, space } from '../theme/tokens.ts'
import { WarningIcon } from './icons.tsx'

interface ProblemProps {
  /** For aria-describedby. */
  id: string
  className?: string
  children: ReactNode
}

/** What is wrong with what was entered above it; read out as it appears. */
export function Problem({ id, className, children }: ProblemProps) {
  return (
    <Line id={id} className={className} role="alert">
      <WarningIcon size={16} />
      {children}
    </Line>
  )
}

const Line = styled.p`
  display: flex;
  gap: ${space[1]};
  font-size: ${size.sm};
  color: ${color.danger};
  svg {
    flex: none;
    margin-top: 0.2em;
  }
`
