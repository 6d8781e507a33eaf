import type { ReactNode } from 'react'
import { messageOf } from '../data/errors.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { AdminPage, type AdminPageProps } from './AdminPage.tsx'

interface NotShownProps extends Pick<AdminPageProps, 'title' | 'trail'> {
  /** Whether the question for the thing was answered: then it does not exist. */
  isAnswered: boolean
  error: unknown
  isRetrying: boolean
  onRetry: () => void
  /** "user". */
  thing: string
  /** Where the others are. */
  others: string
  /** Why there may be none any more. */
  why?: string
  /** What is seen while it loads. */
  outline: ReactNode
}

/** The page of one thing while there is nothing to show of it: it is loading, could not be loaded, or does not exist. */
export function NotShown({
  title,
  trail,
  isAnswered,
  error,
  isRetrying,
  onRetry,
  thing,
  others,
  why,
  outline,
}: NotShownProps) {
  return (
    <AdminPage title={title} trail={trail}>
      {error ? (
        <ErrorState onRetry={onRetry} retrying={isRetrying}>
          {messageOf(error)}
        </ErrorState>
      ) : isAnswered ? (
        <EmptyState
          title={`There is no such ${thing}`}
          action={
            <LinkButton as={Link} to={others}>
              All {thing}s
            </LinkButton>
          }
        >
          {why && <p>{why}</p>}
        </EmptyState>
      ) : (
        outline
      )}
    </AdminPage>
  )
}
