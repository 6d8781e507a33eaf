import { useSyncExternalStore } from 'react'
import { Container } from '../ui/Container.tsx'
import { Notice } from '../ui/Notice.tsx'
import { TextButton } from '../ui/TextButton.tsx'

/** Over a page that may be older than it looks: without a line, or a copy the service worker had kept. Part of every page, since it could not be fetched any more. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(
    follow,
    () => navigator.onLine,
    () => true,
  )
  const isCopy = useSyncExternalStore(
    follow,
    () => document.documentElement.dataset.offline !== undefined,
    () => false,
  )
  if (isOnline && !isCopy) return null
  return (
    <Container>
      <Notice variant="warning">
        {isOnline ? 'This page is a copy from your last visit' : 'You are offline'}: prices and stock may have changed.
        Your cart is kept in this browser; ordering needs a connection.
        {isOnline && <TextButton onClick={() => location.reload()}>Load it again</TextButton>}
      </Notice>
    </Container>
  )
}

function follow(changed: () => void) {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}
