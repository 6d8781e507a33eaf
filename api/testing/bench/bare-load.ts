import { Client } from 'undici'
import type { Run } from './measure.ts'

export interface Asked {
  path: string
  /** Sent as JSON, in a POST. */
  body?: object
  /** Of who is signed in. */
  token?: string
}

interface Load {
  /** Returns the next request. */
  ask: () => Asked
  /** The value of Accept-Encoding. */
  encoding: string
  connections: number
}

/** How an answer of GraphQL begins that has errors. */
const ERRORS = Buffer.from('{"errors"')

/**
 * Sends requests over connections that stay open, and only counts the answers. A client that decompresses and decodes
 * bodies takes longer over each than the shop does.
 */
export async function bareLoad(url: string, { ask, encoding, connections }: Load, seconds: number): Promise<Run> {
  // Each connection has an address of its own, as clients do: the shop gives one address only a few places at a time.
  const clients = Array.from(
    { length: connections },
    (_, client) => new Client(url, { localAddress: `127.0.0.${client + 2}` }),
  )
  const took: number[] = []
  let [refused, failed, bytes] = [0, 0, 0]

  const send = (client: Client) =>
    new Promise<void>((resolve, reject) => {
      const { path, body, token } = ask()
      const begun = performance.now()
      let [status, isFirst] = [0, true]
      client.dispatch(
        {
          path,
          method: body ? 'POST' : 'GET',
          headers: {
            'accept-encoding': encoding,
            ...(body && { 'content-type': 'application/json' }),
            ...(token && { authorization: `Bearer ${token}` }),
          },
          body: body ? JSON.stringify(body) : null,
        },
        {
          onRequestStart() {},
          onResponseStart(_controller, answered) {
            status = answered
          },
          onResponseData(_controller, chunk) {
            if (isFirst && status === 200 && chunk.subarray(0, ERRORS.length).equals(ERRORS)) status = 500
            isFirst = false
            bytes += chunk.length
          },
          onResponseEnd() {
            if (status === 200) took.push(performance.now() - begun)
            else if (status === 503 || status === 429) refused++
            else failed++
            resolve()
          },
          onResponseError: (_controller, error) => reject(error),
        },
      )
    })
  const start = performance.now()
  await Promise.all(
    clients.map(async client => {
      while (performance.now() - start < seconds * 1_000) await send(client)
    }),
  )
  const lasted = (performance.now() - start) / 1_000
  await Promise.all(clients.map(client => client.close()))
  return { seconds: lasted, took, refused, failed, bytes }
}
