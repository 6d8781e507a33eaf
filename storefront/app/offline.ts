import type { createBrowserRouter } from 'react-router-dom'

/** A page that stays on screen this long is kept for reading offline. */
const READ_MS = 3_000

/** Keeps pages that were read available without a connection (service-worker.ts). */
export function keepForOffline(router: ReturnType<typeof createBrowserRouter>): void {
  if (!('serviceWorker' in navigator)) return
  let reading: ReturnType<typeof setTimeout> | undefined
  let shown = location.pathname + location.search
  // Waits until the page has loaded what it needs itself.
  setTimeout(() => void begin(shown).catch(() => {}), READ_MS)
  router.subscribe(({ location: { pathname, search }, navigation }) => {
    if (navigation.state !== 'idle' || pathname + search === shown) return
    shown = pathname + search
    clearTimeout(reading)
    reading = setTimeout(() => tell(navigator.serviceWorker.controller, shown), READ_MS)
  })
  // Offline, the router does not handle links, so that they load documents: the service worker has copies of those.
  addEventListener(
    'click',
    event => {
      const isLink = event.target instanceof Element && event.target.closest('a[href^="/"]')
      if (isLink && !navigator.onLine && navigator.serviceWorker.controller) event.stopPropagation()
    },
    true,
  )
}

/** Registers the service worker, and on the first visit names the open page, which was not loaded through it. */
async function begin(shown: string) {
  const isFirst = !navigator.serviceWorker.controller
  await navigator.serviceWorker.register('/service-worker.js')
  const { active } = await navigator.serviceWorker.ready
  if (isFirst) tell(active, shown)
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- Windows have origins, workers none.
const tell = (worker: ServiceWorker | null, visited: string) => worker?.postMessage({ visited })
