import { createHmac } from 'node:crypto'
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { present } from '#schema/rules/present'
import type { SignInProvider } from '../generated/types.ts'
import { FORM_BYTES, isOwnForm } from '../http/forms.ts'
import { clock } from '../kernel/clock.ts'
import { hashOf, newToken } from '../kernel/tokens.ts'
import { callbackPath, Unproven, Unreachable, type Person, type Providers, type Secrets } from './providers.ts'

const TICKET_S = 600
const oldestGood = () => new Date(clock.now().getTime() - TICKET_S * 1_000)

interface Options {
  orm: MikroORM
  shopUrl: string
  providers: Providers
}

/** Where somebody goes after signing in, and what for. */
interface Errand {
  redirect: string
  /** Signs in, or links the provider to the account that is signed in. */
  links: boolean
}

/**
 * `GET /api/sign-in/:provider` sends a browser to the provider, and `…/callback` takes it back: to the page that signs in
 * with the ticket in its cookie (decision 047).
 */
export async function providerRoutes(app: FastifyInstance, { orm, shopUrl, providers }: Options): Promise<void> {
  const isSecure = shopUrl.startsWith('https:')
  // No other host, above or beside the shop's, can set a cookie of this name.
  const cookieName = (name: string) => (isSecure ? `__Host-${name}` : name)
  const cookie = (name: string, value: string, rest: string, seconds = TICKET_S) =>
    `${cookieName(name)}=${value}; Path=/; Max-Age=${seconds}; ${rest}${isSecure ? '; Secure' : ''}`
  const attempt = (value: string, seconds?: number) => cookie('attempt', value, 'HttpOnly; SameSite=Lax', seconds)
  // Not HttpOnly: the page's script opens the session, so it has to read this cookie. Only this response sets it.
  const ticket = (value: string) => cookie('ticket', value, 'SameSite=Strict')

  for (const [name, provider] of providers) {
    const path = callbackPath(name)
    app.get<{ Querystring: Record<string, unknown> }>(path.replace('/callback', ''), async (request, reply) => {
      const errand = {
        redirect: typeof request.query['redirect'] === 'string' ? request.query['redirect'].slice(0, 1_000) : '',
        links: 'link' in request.query,
      }
      // A page of another site cannot start a sign-in here.
      if (!isOwnForm(request)) return away(reply, entrance(errand))
      const secret = newToken()
      try {
        const to = await provider.begin(secretsOf(secret, name))
        const packed = Buffer.from(JSON.stringify(errand)).toString('base64url')
        return away(reply.header('set-cookie', attempt(`${secret}.${packed}`)), to)
      } catch (error) {
        return trouble(request, reply, errand, name, error)
      }
    })
    app.get(path, async (request, reply) => {
      void reply.header('set-cookie', attempt('', 0))
      const begun = readAttempt(request.headers.cookie, cookieName('attempt'))
      const brought = new URLSearchParams(request.url.split('?')[1])
      if (!begun) return trouble(request, reply, { redirect: '', links: false }, name, null)
      const { secret, ...errand } = begun
      const secrets = secretsOf(secret, name)
      // The person cancelled at the provider.
      if (
        brought.get('state') === secrets.state &&
        /^(?:access_denied|user_cancelled_authorize)$/.test(brought.get('error') ?? '')
      )
        return away(reply, entrance(errand))
      try {
        const token = await keep(orm.em.fork(), await provider.finish(brought, secrets))
        return away(reply.header('set-cookie', ticket(token)), arrival(errand, name))
      } catch (error) {
        return trouble(request, reply, errand, name, error)
      }
    })
  }

  // Apple answers with a cross-site form, which does not carry the cookie; the redirect that follows does.
  if (providers.has('APPLE'))
    await app.register(async forms => {
      forms.removeAllContentTypeParsers()
      forms.addContentTypeParser<string>(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: FORM_BYTES },
        async (_request: FastifyRequest, body: string) => body,
      )
      forms.post<{ Body: string }>(callbackPath('APPLE'), async (request, reply) => {
        const sent = new URLSearchParams(request.body)
        const brought = new URLSearchParams()
        for (const name of ['code', 'state', 'error']) if (sent.has(name)) brought.set(name, present(sent.get(name)))
        const name = nameIn(sent.get('user'))
        if (name) brought.set('name', name)
        return away(reply, `${callbackPath('APPLE')}?${brought}`)
      })
    })

  function trouble(request: FastifyRequest, reply: FastifyReply, errand: Errand, name: SignInProvider, error: unknown) {
    if (error !== null && !(error instanceof Unproven || error instanceof Unreachable)) throw error
    const isAway = error instanceof Unreachable
    if (error) request.log.warn({ provider: name, reason: error.message }, 'Signing in with a provider failed')
    const why = `${isAway ? 'no-answer' : 'failed'}-${name.toLowerCase()}`
    return away(reply, entrance(errand, why))
  }
}

/**
 * Everything the provider has to send back is derived from one secret in the browser's cookie, so forged values do not
 * match.
 */
function secretsOf(secret: string, provider: SignInProvider): Secrets {
  const derive = (purpose: string) => createHmac('sha256', secret).update(`${provider} ${purpose}`).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}

function readAttempt(cookies: string | undefined, name: string): (Errand & { secret: string }) | null {
  const [, secret, packed] = new RegExp(`(?:^|;\\s*)${name}=([\\w-]{43})\\.([\\w-]+)`).exec(cookies ?? '') ?? []
  if (!secret || !packed) return null
  try {
    const { redirect, links } = JSON.parse(Buffer.from(packed, 'base64url').toString()) as Partial<Errand>
    return { secret, redirect: String(redirect ?? ''), links: links === true }
  } catch {
    return null
  }
}

/** Apple sends the name only once, beside the token. */
function nameIn(user: string | null): string | null {
  try {
    const { firstName, lastName } = (JSON.parse(user ?? '{}') as { name?: Record<string, unknown> }).name ?? {}
    return (
      [firstName, lastName]
        .filter(part => typeof part === 'string')
        .join(' ')
        .trim()
        .slice(0, 200) || null
    )
  } catch {
    return null
  }
}

const asked = ({ redirect }: Errand, more: Record<string, string> = {}) => {
  const query = new URLSearchParams({ ...(redirect && { redirect }), ...more })
  return query.size > 0 ? `?${query}` : ''
}

const arrival = (errand: Errand, name: SignInProvider) =>
  errand.links ? `/profile?link=${name.toLowerCase()}` : `/signing-in${asked(errand)}`

const entrance = (errand: Errand, why?: string) =>
  errand.links
    ? `/profile${why ? `?trouble=${why}` : ''}`
    : `/login${asked(errand, why === undefined ? {} : { trouble: why })}`

const away = (reply: FastifyReply, to: string) => reply.header('cache-control', 'no-store').redirect(to, 303)

/** Writes down whom a provider vouches for; the token lets one browser sign in as them. */
async function keep(em: EntityManager, person: Person): Promise<string> {
  const token = newToken()
  await em.execute('insert into sign_in_tickets (token_hash, person, created_at) values (?, ?, ?)', [
    hashOf(token),
    JSON.stringify(person),
    clock.now(),
  ])
  return token
}

/** Who a ticket is for; null when it is not valid. */
export async function personOfTicket(em: EntityManager, token: string): Promise<Person | null> {
  const [found] = await em.execute<{ person: Person }[]>(
    'select person from sign_in_tickets where token_hash = ? and created_at > ?',
    [hashOf(token), oldestGood()],
  )
  return found?.person ?? null
}

/** Whether it was still good. */
export async function spendTicket(em: EntityManager, token: string): Promise<boolean> {
  const spent = await em.execute('delete from sign_in_tickets where token_hash = ? returning 1', [hashOf(token)])
  return spent.length > 0
}

/** Forgets what nobody can use any more. */
export async function forgetTickets(em: EntityManager): Promise<void> {
  await em.execute('delete from sign_in_tickets where created_at < ?', [oldestGood()])
  await em.execute('delete from spent_id_tokens where until < ?', [clock.now()])
}
