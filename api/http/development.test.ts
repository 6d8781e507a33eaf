import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { openShop } from '../testing/shop.ts'
import { present } from '#schema/rules/present'

const FULL = { atOnce: 0, perClient: 0, perAddress: 0, patienceMs: 0 }

test('in development no file of a page is turned away, however busy the shop is', async () => {
  const shop = await openShop({ dev: true, admission: { visitors: FULL, pages: FULL, signedIn: FULL, uploads: FULL } })
  onTestFinished(shop.close)
  expect((await fetch(`${shop.url}/login`)).status).toBe(503)
  expect((await fetch(`${shop.url}/storefront/entry-client.tsx`)).status).toBe(200)
})

test('in development the socket that pages are renewed over and those of subscriptions share a port', async () => {
  const shop = await openShop({ dev: true })
  onTestFinished(shop.close)
  const open = async (path: string, protocol: string) => {
    const socket = new WebSocket(`${shop.url.replace('http', 'ws')}${path}`, protocol)
    onTestFinished(() => socket.terminate())
    return { socket, first: once(socket, 'message').then(([data]) => JSON.parse(String(data)) as unknown) }
  }
  const client = await (await fetch(`${shop.url}/@vite/client`)).text()
  const [, token] = present(/wsToken = "([^"]+)"/.exec(client))
  const pages = await open(`/?token=${token}`, 'vite-hmr')
  expect(await pages.first).toEqual({ type: 'connected' })
  const subscriptions = await open('/graphql', 'graphql-transport-ws')
  await once(subscriptions.socket, 'open')
  subscriptions.socket.send(JSON.stringify({ type: 'connection_init' }))
  expect(await subscriptions.first).toMatchObject({ type: 'connection_ack' })
  expect(pages.socket.readyState).toBe(WebSocket.OPEN)
})
