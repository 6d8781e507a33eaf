/**
 * Keeps visited pages, their pictures and programs, and the cart for when there is no connection. With a connection,
 * everything but programs comes from the shop, so prices and stock are as fresh as they can be.
 * This file holds no version: browsers compare its bytes whenever a page is opened, and a new one takes over at once.
 */
import { clientsClaim } from 'workbox-core'
import { ExpirationPlugin } from 'workbox-expiration'
import { registerRoute, setCatchHandler } from 'workbox-routing'
import { CacheFirst, NetworkFirst } from 'workbox-strategies'
import { browserColor } from './theme/themes.ts'

declare const self: EventTarget & { location: Location; skipWaiting(): void }
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

/** The cart itself is in the browser's storage; its page is the same for everybody. */
const CART = '/cart'
/** Private pages, and pages about one moment, are never kept. Neither is what the server calls `no-store`. */
const FLEETING =
  /^\/(?:admin|login|signing-in|register|profile|order|stash|shipping|place-order|forgot-password|reset-password|verify-email|newsletter|bell)(?:\/|$)/

const matchOptions = { ignoreVary: true }

const pages = new NetworkFirst({
  cacheName: 'pages',
  matchOptions,
  plugins: [
    {
      cacheWillUpdate: async ({ request, response }) => (isLasting(request, response) ? response : null),
      cachedResponseWillBeUsed: async ({ cachedResponse }) => cachedResponse && markedAsCopy(cachedResponse),
    },
    new ExpirationPlugin({ maxEntries: 60, matchOptions, purgeOnQuotaError: true }),
  ],
})
/** A program's file name changes with its content, so a kept copy is never out of date. */
const programs = new CacheFirst({
  cacheName: 'programs',
  matchOptions,
  plugins: [new ExpirationPlugin({ maxEntries: 300, matchOptions, purgeOnQuotaError: true })],
})
const pictures = new NetworkFirst({
  cacheName: 'pictures',
  matchOptions,
  plugins: [new ExpirationPlugin({ maxEntries: 300, matchOptions, purgeOnQuotaError: true })],
})

self.skipWaiting()
clientsClaim()
registerRoute(({ request }) => request.mode === 'navigate', pages)
registerRoute(({ sameOrigin, url }) => sameOrigin && url.pathname.startsWith('/assets/'), programs)
registerRoute(({ sameOrigin, url }) => sameOrigin && /^\/(?:images|uploads)\//.test(url.pathname), pictures)
setCatchHandler(async ({ request }) => (request.mode === 'navigate' ? nothingKept() : Response.error()))

self.addEventListener('install', event => (event as WorkerEvent).waitUntil(keep(CART, event as WorkerEvent)))

/** From app/offline.ts: a page that was reached without loading a document, or before this worker was running. */
self.addEventListener('message', event => {
  const { visited } = (event as MessageEvent<{ visited?: string }>).data
  if (visited) (event as unknown as WorkerEvent).waitUntil(keep(visited, event as unknown as WorkerEvent))
})

/** Keeps a page and the programs it names. */
async function keep(path: string, event: WorkerEvent) {
  const { href, origin } = new URL(path, self.location.href)
  const request = new Request(href)
  if (origin !== self.location.origin || FLEETING.test(new URL(href).pathname)) return
  const [answered, done] = pages.handleAll({ request, event: event as never })
  const html = await (await answered).clone().text()
  await done
  const files = new Set(html.match(/\/assets\/[\w./-]+/g))
  await Promise.all([...files].map(file => programs.handle({ request: new Request(file), event: event as never })))
}

function isLasting({ url }: Request, response: Response) {
  return (
    response.status === 200 &&
    !response.redirected &&
    !FLEETING.test(new URL(url).pathname) &&
    response.headers.get('content-type')?.startsWith('text/html') === true &&
    !response.headers.get('cache-control')?.includes('no-store')
  )
}

/** Marks a kept page, so that it says it is a copy (app/OfflineNotice.tsx). */
async function markedAsCopy(kept: Response) {
  const html = await kept.text()
  const headers = [...kept.headers].filter(([name]) => !/^content-(?:encoding|length)$/.test(name))
  return new Response(html.replace('<html ', '<html data-offline="yes" '), { headers })
}

const nothingKept = () =>
  new Response(
    `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>You are offline</title>
<style>:root{color-scheme:light dark}body{max-width:32rem;margin:15vh auto;padding:0 1.5rem;font:1.125rem/1.5 Georgia,serif;
background:light-dark(${browserColor.light},${browserColor.dark})}a{color:inherit;display:inline-block;padding:.75rem 0;
margin-right:1.5rem}</style>
<h1>You are offline</h1><p>There is no copy of this page in your browser. Pages you have visited still open, with the prices
of that time.</p><p><a href="">Try again</a><a href="/cart">Your cart</a><a href="/">The shop</a></p></html>`,
    { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } },
  )
