import { Client } from 'undici'

export interface Asked {
  path: string
  /** Sent as JSON, in a POST. */
  body?: object
}

interface Load {
  /** Returns the next request. */
  ask: () => Asked
  /** The value of Accept-Encoding. */
  encoding: string
  connections: number
  seconds: number
}

export interface Loaded {
  /** Answers per second with status 200. */
  served: number
  /** Answers with 503 or 429 in the whole run: the shop had no place for them. */
  refused: number
  /** Answers with any other status in the whole run. */
  failed: number
  /** All answers in the whole run. */
  answers: number
  /** The size of a body as it was sent, perhaps compressed. */
  bytes: number
  /** Milliseconds until the answer. */
  p99: number
}

/**
 * Sends requests over connections that stay open, and only counts the answers. A client that decompresses and decodes
 * bodies takes longer over each than the shop does.
 */
export async function bareLoad(url: string, { ask, encoding, connections, seconds }: Load): Promise<Loaded> {
  // Each connection has an address of its own, as clients do: the shop gives one address only a few places at a time.
  const clients = Array.from(
    { length: connections },
    (_, client) => new Client(url, { localAddress: `127.0.0.${client + 2}` }),
  )
  const waits: number[] = []
  let [served, refused, failed, bytes] = [0, 0, 0, 0]

  const send = (client: Client) =>
    new Promise<void>((resolve, reject) => {
      const { path, body } = ask()
      client.dispatch(
        {
          path,
          method: body ? 'POST' : 'GET',
          headers: { 'accept-encoding': encoding, ...(body && { 'content-type': 'application/json' }) },
          body: body ? JSON.stringify(body) : null,
        },
        {
          onRequestStart() {},
          onResponseStart(_controller, status) {
            if (status === 200) served++
            else if (status === 503 || status === 429) refused++
            else failed++
          },
          onResponseData(_controller, chunk) {
            bytes += chunk.length
          },
          onResponseEnd: () => resolve(),
          onResponseError: (_controller, error) => reject(error),
        },
      )
    })
  const end = performance.now() + seconds * 1_000
  async function askOnAndOn(client: Client) {
    while (performance.now() < end) {
      const begun = performance.now()
      await send(client)
      waits.push(performance.now() - begun)
    }
  }
  await Promise.all(clients.map(askOnAndOn))
  await Promise.all(clients.map(client => client.close()))
  return {
    served: Math.round(served / seconds),
    refused,
    failed,
    answers: waits.length,
    bytes: Math.round(bytes / waits.length),
    p99: Math.round(waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0),
  }
}
