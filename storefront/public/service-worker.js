// What was looked at stays in sight without a line: visited pages, their pictures and programs, and the cart. With one,
// everything but programs comes from the shop, so no price and no stock is ever older than it has to be.
// It holds no version: browsers compare its bytes whenever a page is opened, and a new one takes over at once.

const PAGES = 'pages'
const FILES = 'files'
const PICTURES = 'pictures'
/** Entries that each may hold; the oldest leave. */
const ROOM = { [PAGES]: 60, [FILES]: 300, [PICTURES]: 300 }

/** In the browser's storage, and shown by a page that is the same for everybody. */
const CART = '/cart'
/** Private, or about one moment: nothing of them is kept. */
const FLEETING =
  /^\/(?:admin|login|register|profile|order|stash|shipping|place-order|forgot-password|reset-password|verify-email|newsletter)(?:\/|$)/
const PICTURE = /^\/(?:images|uploads)\//

addEventListener('install', event => {
  skipWaiting()
  event.waitUntil(keepPage(CART))
})

addEventListener('activate', event => {
  event.waitUntil(clients.claim())
})

addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') event.respondWith(page(event))
  else if (pathname.startsWith('/assets/')) event.respondWith(file(event))
  else if (PICTURE.test(pathname)) event.respondWith(picture(event))
})

// A page that was reached without loading a document.
addEventListener('message', event => {
  const { origin, pathname } = new URL(event.data.visited, location.href)
  if (origin === location.origin && !FLEETING.test(pathname)) event.waitUntil(keepPage(event.data.visited))
})

async function page(event) {
  const { request } = event
  try {
    const answer = await fetch(request)
    if (isLasting(answer, new URL(request.url).pathname)) event.waitUntil(keep(PAGES, request.url, answer.clone()))
    return answer
  } catch (error) {
    const kept = await caches.match(request.url, { cacheName: PAGES, ignoreVary: true })
    if (kept) return asOffline(kept)
    if (FLEETING.test(new URL(request.url).pathname)) throw error
    return nothingKept()
  }
}

/** Their names change with what is in them. */
async function file(event) {
  const { request } = event
  const kept = await caches.match(request.url, { cacheName: FILES, ignoreVary: true })
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) event.waitUntil(keep(FILES, request.url, answer.clone()))
  return answer
}

async function picture(event) {
  const { request } = event
  try {
    const answer = await fetch(request)
    if (answer.ok) event.waitUntil(keep(PICTURES, request.url, answer.clone()))
    return answer
  } catch (error) {
    const kept = await caches.match(request.url, { cacheName: PICTURES, ignoreVary: true })
    if (kept) return kept
    throw error
  }
}

/** A page with the programs it names. */
async function keepPage(path) {
  const answer = await fetch(path)
  const { pathname } = new URL(path, location.href)
  if (!isLasting(answer, pathname)) return
  const html = await answer.clone().text()
  await keep(PAGES, new URL(path, location.href).href, answer)
  const files = [...new Set(html.match(/\/assets\/[\w./-]+/g))]
  await Promise.all(
    files.map(async name => {
      const { href } = new URL(name, location.href)
      if (await caches.match(href, { cacheName: FILES, ignoreVary: true })) return
      const program = await fetch(href)
      if (program.ok) await keep(FILES, href, program)
    }),
  )
}

const isLasting = (answer, pathname) =>
  answer.status === 200 &&
  !answer.redirected &&
  !FLEETING.test(pathname) &&
  (answer.headers.get('content-type') ?? '').startsWith('text/html') &&
  !(answer.headers.get('cache-control') ?? '').includes('no-store')

async function keep(name, url, answer) {
  const cache = await caches.open(name)
  // Written anew, it is the youngest.
  await cache.delete(url, { ignoreVary: true })
  await cache.put(url, answer)
  const keys = await cache.keys()
  const oldest = keys
    .filter(({ url }) => new URL(url).pathname !== CART)
    .slice(0, Math.max(0, keys.length - ROOM[name]))
  await Promise.all(oldest.map(key => cache.delete(key, { ignoreVary: true })))
}

/** Marked, for the page to say so (app/Offline.tsx). */
async function asOffline(kept) {
  const html = await kept.text()
  return new Response(html.replace('<html ', '<html data-offline="yes" '), {
    headers: [...kept.headers].filter(([name]) => !/^content-(?:encoding|length)$/.test(name)),
  })
}

const nothingKept = () =>
  new Response(
    `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>You are offline – Skein</title><style>body{max-width:32rem;margin:15vh auto;padding:0 1.5rem;font:1.125rem/1.5 Georgia,serif;color:#29241f;background:#faf7f0}a{color:inherit}</style>
<h1>You are offline</h1><p>This page was not opened before, so there is no copy of it. Pages you have visited still open, with the
prices of that time.</p><p><a href="">Try again</a> · <a href="/cart">Your cart</a> · <a href="/">The shop</a></p></html>`,
    { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } },
  )
