import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { measure, space } from '../theme/tokens.ts'
import { Button } from './Button.tsx'
import { Notice } from './Notice.tsx'

const Wrap = styled.div`
  display: flex;
  flex-direction: column;
  align-items: flex-start;
  gap: ${space[4]};
  max-width: ${measure.text};
  padding-block: ${space[5]};
`

/** Shown in place of a list or page that could not be loaded: says what happened and offers another try. */
export function ErrorState({
  children,
  onRetry,
  retrying,
}: {
  children: ReactNode
  onRetry?: () => void
  retrying?: boolean
}) {
  return (
    <Wrap>
      <Notice variant="danger">{children}</Notice>
      {onRetry && (
        <Button variant="quiet" onClick={onRetry} loading={retrying}>
          Try again
        </Button>
      )}
    </Wrap>
  )
}
