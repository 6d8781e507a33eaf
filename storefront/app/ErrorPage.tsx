import type { ReactNode } from 'react'
import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router-dom'
import { FALLBACK_MESSAGE, messageOf, requestIdOf } from '../data/errors.ts'
import { Head } from './Head.tsx'
import { paths } from '../paths.ts'
import { Cluster } from '../ui/Cluster.tsx'
import { Container } from '../ui/Container.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Link } from '../ui/Link.tsx'
import { LooseThread } from '../ui/LooseThread.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { isMissingProgram } from '../ui/missing-program.ts'
import { Stack } from '../ui/Stack.tsx'

/** Shown in place of a page that does not exist or could not be loaded; header and footer stay. */
export function ErrorPage() {
  const error = useRouteError()
  if (isMissingProgram(error)) return <NotLoaded />
  if (!isRouteErrorResponse(error)) return <Failed message={messageOf(error)} requestId={requestIdOf(error)} />
  return error.status === 404 ? <NotFound /> : <Failed message={FALLBACK_MESSAGE} />
}

export function NotFound() {
  return (
    <Container $width="text">
      <Head title="Page not found" />
      <Stack $gap={5}>
        <LooseThread />
        <h1>We’ve lost this thread</h1>
        <p>There is nothing at this address: a yarn we no longer carry, perhaps, or a link that dropped a stitch.</p>
        <Cluster>
          <LinkButton as={Link} to={paths.home()}>
            Browse all products
          </LinkButton>
          <LinkButton as={Link} to={paths.topRated()} $variant="quiet">
            See top-rated picks
          </LinkButton>
        </Cluster>
      </Stack>
    </Container>
  )
}

/** Shown in place of a page whose script failed to load. The browser retries it only in a new document. */
export function NotLoaded() {
  return (
    <Knot message="This page could not be loaded. Please check your connection." onRetry={() => location.reload()} />
  )
}

function Failed({ message, requestId }: { message: string; requestId?: string | undefined }) {
  const { revalidate, state } = useRevalidator()
  return (
    <Knot message={message} onRetry={() => void revalidate()} retrying={state === 'loading'}>
      {requestId && (
        <p>
          If it happens again, please tell us this number: <code>{requestId}</code>
        </p>
      )}
    </Knot>
  )
}

function Knot({
  message,
  onRetry,
  retrying,
  children,
}: {
  message: string
  onRetry: () => void
  retrying?: boolean
  children?: ReactNode
}) {
  return (
    <Container $width="text">
      <Head title="Something went wrong" />
      <Stack $gap={5}>
        <LooseThread />
        <h1>There’s a knot in this page</h1>
        <ErrorState onRetry={onRetry} retrying={retrying}>
          {message}
        </ErrorState>
        {children}
        <p>
          Or go on <Link to={paths.home()}>to the shelves</Link>.
        </p>
      </Stack>
    </Container>
  )
}
