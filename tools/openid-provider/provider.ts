// A provider of sign-ins on this machine, for tests: it speaks OpenID Connect as Apple and Google do, and vouches for
// anybody the test names. It keeps everything in memory.
import { createHash, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** The person it vouches for. */
export interface Vouched {
  sub: string
  email?: string
  email_verified?: boolean | string
  /** The domain of a company's account at Google. */
  hd?: string
  name?: string
}

interface Begun {
  clientId: string
  redirectUri: string
  nonce: string
  challenge: string
  person: Vouched
}

/** The parameters with which a client sends somebody here. */
type Authorization = {
  client_id: string
  redirect_uri: string
  nonce: string
  code_challenge: string
  state: string
  response_mode?: string
}

/** The fields that the form adds. */
type Filled = { go?: string; email: string; name: string }

export interface OpenidProvider {
  issuer: string
  /** Every visitor is signed in as this person without being asked; null shows a form. */
  person: Vouched | null
  /** Claims that replace the right ones in tokens. */
  wrong: Record<string, unknown>
  /** Whether it answers with errors. */
  isDown: boolean
  /** The bodies that clients sent for tokens. */
  asked: URLSearchParams[]
  /** Makes an ID token such as an app's SDK gets. */
  idToken(audience: string, nonce: string, person: Vouched, wrong?: Record<string, unknown>): Promise<string>
  close(): Promise<void>
}

const text = (value: unknown) =>
  String(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** A form that asks who somebody is. */
const signInPage = (asked: Authorization) => `<!doctype html><html lang="en"><title>Sign in</title>
        <main><h1>Who are you?</h1><form>
        ${Object.entries(asked)
          .map(([name, value]) => `<input type="hidden" name="${text(name)}" value="${text(value)}">`)
          .join('')}
        <label>Email <input name="email" value="ann@gmail.com"></label>
        <label>Name <input name="name" value="Ann Lee"></label>
        <button name="go" value="on">Continue</button>
        <button name="error" value="access_denied" formaction="/refuse">Cancel</button>
        </form></main>`

/** A form that sends itself to the client, with the code. Apple sends the name beside the token. */
function returnPage({ redirect_uri, state }: Authorization, code: string): string {
  const user = JSON.stringify({ name: { firstName: 'Ann', lastName: 'Lee' } })
  return `<!doctype html><html lang="en"><title>Signed in</title>
      <form method="post" action="${text(redirect_uri)}">
      <input type="hidden" name="code" value="${code}"><input type="hidden" name="state" value="${text(state)}">
      <input type="hidden" name="user" value="${text(user)}"></form><script>document.forms[0].submit()</script>`
}

/** Whether the client proves that it is the one that began the sign-in. */
function mayRedeem({ challenge, redirectUri }: Begun, asked: URLSearchParams): boolean {
  const proof = createHash('sha256')
    .update(asked.get('code_verifier') ?? '')
    .digest('base64url')
  return proof === challenge && asked.get('redirect_uri') === redirectUri && Boolean(asked.get('client_secret'))
}

export async function startOpenidProvider({ port = 0 } = {}): Promise<OpenidProvider> {
  const app = Fastify()
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const codes = new Map<string, Begun>()

  const provider: OpenidProvider = {
    issuer: '',
    person: null,
    wrong: {},
    isDown: false,
    asked: [],
    idToken: (audience, nonce, person, wrong = {}) => {
      const now = Math.floor(Date.now() / 1_000)
      return new SignJWT({ iss: provider.issuer, aud: audience, iat: now, exp: now + 600, nonce, ...person, ...wrong })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .sign(privateKey)
    },
    close: () => app.close(),
  }

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => new URLSearchParams(body),
  )
  app.addHook('onRequest', async (_request, reply) => {
    if (provider.isDown) return reply.code(503).send({ error: 'temporarily_unavailable' })
  })

  app.get('/.well-known/openid-configuration', async () => ({
    issuer: provider.issuer,
    authorization_endpoint: `${provider.issuer}/authorize`,
    token_endpoint: `${provider.issuer}/token`,
    jwks_uri: `${provider.issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  }))

  app.get('/keys', async () => ({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] }))

  app.get<{ Querystring: Authorization & Filled }>('/authorize', async ({ query }, reply) => {
    const { person } = provider
    if (!person && !query.go) return reply.type('text/html').send(signInPage(query))
    const code = randomUUID()
    codes.set(code, {
      clientId: query.client_id,
      redirectUri: query.redirect_uri,
      nonce: query.nonce,
      challenge: query.code_challenge,
      person: person ?? { sub: query.email, email: query.email, email_verified: true, name: query.name },
    })
    if (query.response_mode !== 'form_post')
      return reply.redirect(`${query.redirect_uri}?${new URLSearchParams({ code, state: query.state })}`)
    return reply.type('text/html').send(returnPage(query, code))
  })

  app.get<{ Querystring: Authorization }>('/refuse', async ({ query: { redirect_uri, state } }, reply) =>
    reply.redirect(`${redirect_uri}?${new URLSearchParams({ error: 'access_denied', state })}`),
  )

  app.post<{ Body: URLSearchParams }>('/token', async ({ body }, reply) => {
    provider.asked.push(body)
    const begun = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    if (!begun || !mayRedeem(begun, body)) return reply.code(400).send({ error: 'invalid_grant' })
    return {
      access_token: randomUUID(),
      token_type: 'Bearer',
      expires_in: 600,
      id_token: await provider.idToken(begun.clientId, begun.nonce, begun.person, provider.wrong),
    }
  })

  provider.issuer = await app.listen({ port, host: '127.0.0.1' })
  return provider
}
