import { Notice } from '../ui/Notice.tsx'
import { Stack } from '../ui/Stack.tsx'
import type { useCartCheck } from './use-cart-check.ts'

/** Shows what the cart check found; nothing when nothing has changed. */
export function CartChanges({
  check: { changes, shipping, problem, retry },
}: {
  check: ReturnType<typeof useCartCheck>
}) {
  const words = [...changes.flatMap(change => change.words), ...(shipping ? [shipping] : [])]
  if (words.length === 0 && !problem) return null
  return (
    <Stack $gap={2}>
      {words.map(change => (
        <Notice key={change} variant="warning">
          {change}
        </Notice>
      ))}
      {problem && (
        <Notice variant="danger" onRetry={retry ?? undefined}>
          We could not check prices and stock. {problem}
        </Notice>
      )}
    </Stack>
  )
}
