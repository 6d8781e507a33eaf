import type { Agent } from 'undici'
import { nth } from '#schema/rules/present'
import type { Services } from '../context.ts'
import { before } from '../kernel/before.ts'
import { publicAddresses } from './public-address.ts'

/** A way to an address, for as many requests as go there one after the other or side by side. */
export interface Line {
  url: URL
  agent: () => Promise<Agent>
  close: () => Promise<void>
}

/** Loaded when something is sent first. */
export const httpClient = () => import('undici')

/** Leads to an address that was checked, and to no other: the name is resolved once. */
export function openLine(url: string, reach: Services['webhookReach'], atOnce: number): Line {
  let agent: Promise<Agent> | undefined
  const open = async () => {
    const addresses = await publicAddresses(new URL(url), reach)
    const { Agent } = await httpClient()
    return new Agent({ connect: { lookup: alreadyKnown(addresses) }, connections: atOnce })
  }
  return {
    url: new URL(url),
    agent: () => (agent ??= open()),
    close: async () => (await agent?.catch(() => null))?.destroy(),
  }
}

/**
 * Asks an address once, and gives what it answers to `take`, which has read what it wants by the time the line is closed.
 * No redirect is followed. All of it, from the look at the name on, takes no longer than `timeoutMs`.
 */
export async function askOnce<T>(
  url: string,
  reach: Services['webhookReach'],
  { headers, timeoutMs }: { headers: Record<string, string>; timeoutMs: number },
  take: (status: number, body: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const line = openLine(url, reach, 1)
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const { request } = await httpClient()
    const dispatcher = await before(signal, line.agent())
    const plain = { 'accept-encoding': 'identity', ...headers }
    // A request listens to its signal once it has a connection.
    const { statusCode, body } = await before(signal, request(line.url, { headers: plain, dispatcher, signal }))
    return await take(statusCode, body)
  } finally {
    await line.close()
  }
}

type Answered = (error: Error | null, address: string | { address: string; family: number }[], family?: number) => void

/** Stands in for the look at the name, which is over. */
function alreadyKnown(addresses: readonly string[]) {
  const known = addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
  return (_host: string, { all }: { all?: boolean }, answer: Answered) =>
    all ? answer(null, known) : answer(null, nth(known, 0).address, nth(known, 0).family)
}
