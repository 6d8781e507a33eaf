import { Client } from 'undici'

export interface Asked {
  path: string
  /** Sent as JSON, by a POST. */
  body?: object
}

interface Load {
  /** The next request. */
  ask: () => Asked
  /** What is sent as Accept-Encoding. */
  encoding: string
  connections: number
  seconds: number
}

export interface Loaded {
  /** Answers a second with status 200. */
  served: number
  /** Those that the shop had no place for, in all. */
  refused: number
  /** Those with another status, in all. */
  failed: number
  /** All of them. */
  answers: number
  /** Of a body, as it went over the line. */
  bytes: number
  /** Of the answers, in milliseconds. */
  p99: number
}

/**
 * Asks again and again, over connections that stay open, and only counts what comes. A client that makes
 * text of packed bodies takes longer over each than the shop does.
 */
export async function bareLoad(url: string, { ask, encoding, connections, seconds }: Load): Promise<Loaded> {
  // Each at an address of its own, as clients are: one alone is given few places at a time.
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
