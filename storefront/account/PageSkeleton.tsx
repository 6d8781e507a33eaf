import { Head } from '../head.tsx'
import { Container } from '../ui/Container.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Stack } from '../ui/Stack.tsx'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'

/** A private page before it is known whose it is. */
export function PageSkeleton() {
  return (
    <Container $width="text" aria-busy="true">
      <Head title="Skein" />
      <VisuallyHidden>Loading</VisuallyHidden>
      <Stack $gap={5}>
        <Skeleton $width="14rem" $height="2.5rem" />
        <Skeleton $height="9rem" />
        <Skeleton $height="9rem" />
      </Stack>
    </Container>
  )
}
