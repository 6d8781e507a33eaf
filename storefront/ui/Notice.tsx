import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { radius, size, space } from '../theme/tokens.ts'
import { CheckIcon, InfoIcon, WarningIcon } from './icons.tsx'
import { TextButton } from './TextButton.tsx'
import { type Tone, tones } from './tones.ts'

const Strip = styled.div<{ $variant: Tone }>`
  display: flex;
  align-items: flex-start;
  gap: ${space[3]};
  padding: ${space[3]} ${space[4]};
  border-radius: ${radius.md};
  font-size: ${size.md};
  ${({ $variant }) => tones[$variant]}
  > svg {
    flex: none;
    margin-top: 0.15em;
  }
  > div {
    min-width: 0;
    /* Emails and codes, which have no spaces. */
    overflow-wrap: anywhere;
  }
  ${TextButton} {
    color: inherit;
    margin-left: ${space[2]};
  }
`

interface NoticeProps {
  variant?: Tone
  children: ReactNode
  /** Something to do about it: a link, a button. */
  action?: ReactNode
  /** Adds a "Try again". */
  onRetry?: () => void
}

const icons = { plain: InfoIcon, success: CheckIcon, warning: WarningIcon, danger: WarningIcon }

export function Notice({ variant = 'plain', children, action, onRetry }: NoticeProps) {
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
