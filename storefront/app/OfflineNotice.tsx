import { useSyncExternalStore } from 'react'
import { Container } from '../ui/Container.tsx'
import { Notice } from '../ui/Notice.tsx'
import { TextButton } from '../ui/TextButton.tsx'

/** Shown above a page that may be outdated: offline, or the service worker's copy. Loaded with every page: offline it could not be fetched. */
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
      <Notice
        variant="warning"
        action={isOnline && <TextButton onClick={() => location.reload()}>Load it again</TextButton>}
      >
        {isOnline ? 'This page is a copy from your last visit' : 'You are offline'}: prices and stock may have changed.
        Your cart is kept in this browser; ordering needs a connection.
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
