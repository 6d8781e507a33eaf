import type { createBrowserRouter } from 'react-router-dom'

/** A page that stays on the screen as long as that is kept for later. */
const READ_MS = 3_000

/** What was looked at stays in sight without a line (public/service-worker.js). */
export function keepForOffline(router: ReturnType<typeof createBrowserRouter>): void {
  if (!('serviceWorker' in navigator)) return
  // After everything that the page itself needs.
  setTimeout(() => void navigator.serviceWorker.register('/service-worker.js').catch(() => {}), READ_MS)

  let reading: ReturnType<typeof setTimeout> | undefined
  let shown = location.pathname + location.search
  router.subscribe(({ location: { pathname, search }, navigation }) => {
    if (navigation.state !== 'idle' || pathname + search === shown) return
    shown = pathname + search
    clearTimeout(reading)
    reading = setTimeout(() => navigator.serviceWorker.controller?.postMessage({ visited: shown }), READ_MS)
  })
  // Links then open documents: of those there are copies.
  addEventListener(
    'click',
    event => {
      const isLink = event.target instanceof Element && event.target.closest('a[href^="/"]')
      if (isLink && !navigator.onLine && navigator.serviceWorker.controller) event.stopPropagation()
    },
    true,
  )
}
