import { Link, isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router-dom'
import { FALLBACK_MESSAGE, messageOf } from '../data/errors.ts'
import { Head } from './Head.tsx'
import { paths } from '../paths.ts'
import { Cluster } from '../ui/Cluster.tsx'
import { Container } from '../ui/Container.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { LooseThread } from '../ui/LooseThread.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { isMissingProgram } from '../ui/missing-program.ts'
import { Stack } from '../ui/Stack.tsx'

/** In place of a page that is not there or could not be loaded; header and footer stay. */
export function ErrorPage() {
  const error = useRouteError()
  if (isMissingProgram(error)) return <NotLoaded />
  if (!isRouteErrorResponse(error)) return <Failed message={messageOf(error)} />
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

/** In place of a page whose program did not arrive. The browser asks for it again only with a new document. */
export function NotLoaded() {
  return (
    <Knot message="This page could not be loaded. Please check your connection." onRetry={() => location.reload()} />
  )
}

function Failed({ message }: { message: string }) {
  const { revalidate, state } = useRevalidator()
  return <Knot message={message} onRetry={() => void revalidate()} retrying={state === 'loading'} />
}

function Knot({ message, onRetry, retrying }: { message: string; onRetry: () => void; retrying?: boolean }) {
  return (
    <Container $width="text">
      <Head title="Something went wrong" />
      <Stack $gap={5}>
        <LooseThread />
        <h1>There’s a knot in this page</h1>
        <ErrorState onRetry={onRetry} retrying={retrying}>
          {message}
        </ErrorState>
        <p>
          Or go on <Link to={paths.home()}>to the shelves</Link>.
        </p>
      </Stack>
    </Container>
  )
}
