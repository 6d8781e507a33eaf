import type { ReactNode } from 'react'
import { css, styled } from 'styled-components'
import { color, radius, size, space } from '../theme/tokens.ts'
import { CheckIcon, InfoIcon, WarningIcon } from './icons.tsx'
import { TextButton } from './TextButton.tsx'

export type NoticeVariant = 'info' | 'success' | 'warning' | 'danger'

const variants = {
  info: css`
    background: ${color.band};
    color: ${color.text};
  `,
  success: css`
    background: ${color.successGround};
    color: ${color.success};
  `,
  warning: css`
    background: ${color.warningGround};
    color: ${color.warning};
  `,
  danger: css`
    background: ${color.dangerGround};
    color: ${color.danger};
  `,
}

const Strip = styled.div<{ $variant: NoticeVariant }>`
  display: flex;
  align-items: flex-start;
  gap: ${space[3]};
  padding: ${space[3]} ${space[4]};
  border-radius: ${radius.md};
  font-size: ${size.md};
  ${({ $variant }) => variants[$variant]}
  > svg {
    flex: none;
    margin-top: 0.15em;
  }
  ${TextButton} {
    color: inherit;
    margin-left: ${space[2]};
  }
`

interface NoticeProps {
  variant?: NoticeVariant
  children: ReactNode
  /** Something to do about it: a link, a button. */
  action?: ReactNode
  /** Adds a "Try again". */
  onRetry?: () => void
}

const icons = { info: InfoIcon, success: CheckIcon, warning: WarningIcon, danger: WarningIcon }

export function Notice({ variant = 'info', children, action, onRetry }: NoticeProps) {
  const Icon = icons[variant]
  return (
    <Strip $variant={variant} role={variant === 'danger' ? 'alert' : 'status'}>
      <Icon size={20} />
      <div>
        {children}
        {action && <> {action}</>}
        {onRetry && <TextButton onClick={onRetry}>Try again</TextButton>}
      </div>
    </Strip>
  )
}
