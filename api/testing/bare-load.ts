import { Pool } from 'undici'

interface Load {
  /** The address of the next request. */
  path: () => string
  /** What is sent as Accept-Encoding. */
  encoding: string
  connections: number
  seconds: number
}

export interface Loaded {
  /** Answers a second with status 200. */
  served: number
  /** Those with another status, in all. */
  refused: number
  /** Of a body, as it went over the line. */
  bytes: number
  /** Of the answers, in milliseconds. */
  p99: number
}

/**
 * Asks again and again, over connections that stay open, and only counts what comes. A client that makes
 * text of packed bodies takes longer over each than the shop does.
 */
export async function bareLoad(url: string, { path, encoding, connections, seconds }: Load): Promise<Loaded> {
  const pool = new Pool(url, { connections })
  const waits: number[] = []
  let [served, refused, bytes] = [0, 0, 0]

  const ask = () =>
    new Promise<void>((resolve, reject) => {
      pool.dispatch(
        { path: path(), method: 'GET', headers: { 'accept-encoding': encoding } },
        {
          onRequestStart() {},
          onResponseStart(_controller, status) {
            if (status === 200) served++
            else refused++
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
  async function askOnAndOn() {
    while (performance.now() < end) {
      const begun = performance.now()
      await ask()
      waits.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: connections }, askOnAndOn))
  await pool.close()
  return {
    served: Math.round(served / seconds),
    refused,
    bytes: Math.round(bytes / waits.length),
    p99: Math.round(waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0),
  }
}
