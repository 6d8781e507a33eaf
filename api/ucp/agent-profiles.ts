import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { present } from '#schema/rules/present'
import type { Services } from '../context.ts'
import { Problem } from '../http/problem.ts'
import { clock } from '../kernel/clock.ts'
import { ForbiddenAddress, UnknownHost } from '../http/public-address.ts'
import { askOnce } from '../http/open-line.ts'
import { EVERYTHING, VERSION, shared, type CapabilityName } from './profile.ts'

/** A bound on what the shop caches and fetches, however many agents there are. */
const KEPT = 500
const FETCHED_A_MINUTE = 60
const KEPT_MS = 300_000
/** Of one that could not be read: the next call is not kept waiting for it, too. */
const FORGOTTEN_MS = 60_000
const TIMEOUT_MS = 3_000
const HEADERS = { accept: 'application/json', 'user-agent': 'Skein-UCP' }
const MOST_BYTES = 64_000

const profile = z.object({
  ucp: z.object({
    version: z.iso.date(),
    capabilities: z.record(z.string(), z.array(z.object({ version: z.string() }))).default({}),
  }),
})

type Agreed = ReadonlySet<CapabilityName>

/** The same for all whose profile cannot be reached: an agent's outage keeps nobody from ordering. */
const UNREACHED: Agreed = EVERYTHING

/** Tells which capabilities an agent and the shop have in common, by the profile whose address comes with each request. */
export function agentProfiles(reach: Services['webhookReach']): (address: string) => Promise<Agreed> {
  let minute = 0
  let fetched = 0
  const profiles = new LRUCache<string, Agreed | Problem>({
    max: KEPT,
    ttl: KEPT_MS,
    // A waiting request gets its profile even if the cache evicted it meanwhile.
    ignoreFetchAbort: true,
    async fetchMethod(address, _stale, { options }) {
      const now = Math.floor(clock.now().getTime() / 60_000)
      if (now !== minute) [minute, fetched] = [now, 0]
      const found = ++fetched > FETCHED_A_MINUTE ? UNREACHED : await fetchProfile(address, reach)
      if (found === UNREACHED || found instanceof Problem) options.ttl = FORGOTTEN_MS
      return found
    },
  })
  return async address => {
    if (!URL.canParse(address)) throw unusable('Name the agent’s profile by its address: it comes with every request.')
    const found = await profiles.fetch(address)
    if (found instanceof Problem) throw found
    return present(found)
  }
}

const unusable = (why: string) => new Problem(400, 'invalid_profile_url', why)

async function fetchProfile(address: string, reach: Services['webhookReach']): Promise<Agreed | Problem> {
  try {
    return await askOnce(address, reach, { headers: HEADERS, timeoutMs: TIMEOUT_MS }, async (status, body) => {
      if (status >= 500) return UNREACHED
      if (status !== 200) return new Problem(424, 'profile_unreachable', `The agent’s profile answered ${status}.`)
      return read(await textOf(body))
    })
  } catch (error) {
    if (error instanceof ForbiddenAddress && !(error instanceof UnknownHost)) return unusable(error.message)
    return UNREACHED
  }
}

/** Null when there is too much of it. */
async function textOf(body: AsyncIterable<Buffer>): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MOST_BYTES) return null
  }
  return Buffer.concat(chunks).toString()
}

function read(text: string | null): Agreed | Problem {
  const { data } = profile.safeParse(parsed(text))
  if (!data) return new Problem(422, 'profile_malformed', 'There is no agent’s profile at that address.')
  const { version, capabilities } = data.ucp
  if (version !== VERSION)
    return new Problem(
      422,
      'version_unsupported',
      `Version ${version} of the protocol is not supported. This shop supports ${VERSION}.`,
    )
  return shared(name => capabilities[name]?.some(({ version }) => version === VERSION) ?? false)
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}
