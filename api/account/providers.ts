import { createPrivateKey } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify, SignJWT } from 'jose'
import * as oidc from 'openid-client'
import { present } from '#schema/rules/present'
import type { SignInProvider } from '../generated/types.ts'
import type { Env, ProviderEnv } from '../kernel/env.ts'

// What the shop says to Apple and Google, and the only file that knows OpenID Connect.

/** Whom a provider vouches for. */
export interface Person {
  provider: SignInProvider
  issuer: string
  /** Never changes at the provider, and is nobody else's. */
  subject: string
  email: string | null
  /** Whether mails to it reach the person: surely, as far as was once shown to the provider, or as they say. */
  emailIs: 'THEIRS' | 'SHOWN' | 'CLAIMED'
  name: string | null
}

/** What only the browser knows that begins to sign in. */
export interface Secrets {
  state: string
  nonce: string
  verifier: string
}

interface Provider {
  /** Where the browser is sent. */
  begin(secrets: Secrets): Promise<string>
  /** Whom a browser comes back as, by the parameters it brings. */
  finish(brought: URLSearchParams, secrets: Secrets): Promise<Person>
  /** Whose an app's ID token is, and until when it is good. */
  read(idToken: string, nonce: string): Promise<{ person: Person; until: Date }>
}

export type Providers = ReadonlyMap<SignInProvider, Provider>

/** The provider sent back something invalid: altered, expired, already used, or meant for another shop. */
export class Unproven extends Error {}

/** The provider does not answer, or not as it should. */
export class Unreachable extends Error {}

const TIMEOUT_S = 5

export const callbackPath = (provider: SignInProvider) => `/api/sign-in/${provider.toLowerCase()}/callback`

export function connectProviders({ google, apple }: Env['providers'], shopUrl: string): Providers {
  const providers = new Map<SignInProvider, Provider>()
  if (apple)
    providers.set(
      'APPLE',
      connect('APPLE', apple, shopUrl, {
        scope: 'openid email name',
        // Apple sends a name in no other form.
        more: { response_mode: 'form_post' },
        authentication: signedSecret(apple),
        // Apple gives confirmed addresses only, and those of its relay are its own.
        isSureOf: () => true,
      }),
    )
  if (google)
    providers.set(
      'GOOGLE',
      connect('GOOGLE', google, shopUrl, {
        scope: 'openid email profile',
        more: { prompt: 'select_account' },
        authentication: oidc.ClientSecretPost(google.secret),
        // Of an address outside Google it only knows that it was the person's once.
        isSureOf: ({ email, hd }) => hd !== undefined || /@(?:gmail|googlemail)\.com$/i.test(String(email)),
      }),
    )
  return providers
}

type Claims = Record<string, unknown>

interface Manner {
  scope: string
  more: Record<string, string>
  authentication: oidc.ClientAuth
  /** Whether the provider's word on a confirmed email is as good as a link in a mail. */
  isSureOf: (claims: Claims) => boolean
}

function connect(provider: SignInProvider, env: ProviderEnv, shopUrl: string, manner: Manner): Provider {
  const redirectUri = shopUrl + callbackPath(provider)
  const configuration = untilItWorks(async () => {
    const found = await oidc.discovery(new URL(env.issuer), env.clientId, undefined, manner.authentication, {
      timeout: TIMEOUT_S,
      execute: [
        oidc.enableNonRepudiationChecks,
        ...(env.issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
      ],
    })
    const keys = createRemoteJWKSet(new URL(present(found.serverMetadata().jwks_uri)), {
      timeoutDuration: TIMEOUT_S * 1_000,
    })
    return { found, keys }
  })

  const personOf = (claims: Claims): Person => {
    const { iss, sub, email, email_verified: verified, name } = claims
    const isShown = verified === true || verified === 'true'
    return {
      provider,
      issuer: String(iss),
      subject: String(sub),
      email: typeof email === 'string' ? email : null,
      emailIs: !isShown ? 'CLAIMED' : manner.isSureOf(claims) ? 'THEIRS' : 'SHOWN',
      name: typeof name === 'string' ? name : null,
    }
  }

  return {
    async begin({ state, nonce, verifier }) {
      const { found } = await configuration()
      return oidc.buildAuthorizationUrl(found, {
        redirect_uri: redirectUri,
        scope: manner.scope,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...manner.more,
      }).href
    },
    async finish(brought, { state, nonce, verifier }) {
      const { found } = await configuration()
      const came = new URL(`${redirectUri}?${brought}`)
      const tokens = await oidc
        .authorizationCodeGrant(found, came, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        .catch(failed)
      const person = personOf(present(tokens.claims()))
      return { ...person, name: person.name ?? brought.get('name') }
    },
    async read(idToken, nonce) {
      const { keys } = await configuration()
      const { payload } = await jwtVerify(idToken, keys, {
        issuer: env.issuer,
        audience: [env.clientId, ...env.apps],
        requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
        clockTolerance: 30,
      }).catch(failed)
      if (payload['nonce'] !== nonce) throw new Unproven('The nonce is another one.')
      return { person: personOf(payload), until: new Date((present(payload.exp) + 60) * 1_000) }
    },
  }
}

/** Fetched once; fetched again after a failure. */
function untilItWorks<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw new Unreachable((error as { code?: string }).code ?? 'no discovery')
    }))
}

/** An invalid answer is the visitor's error; anything else that is thrown means the provider is not working. */
const NO_GOOD =
  /^(?:OAUTH_(?:JWT_|INVALID_RESPONSE|RESPONSE_BODY_ERROR|AUTHORIZATION_RESPONSE_ERROR)|ERR_J(?:WT|WS|OSE_ALG|OSE_NOT)|ERR_JWKS_NO_MATCHING_KEY)/

/** Passes on the error's code alone: its message may quote tokens. */
function failed(error: unknown): never {
  const { code, name } = error as { code?: string; name?: string }
  throw new (NO_GOOD.test(code ?? '') ? Unproven : Unreachable)(code ?? name)
}

/** Apple takes no client secret but a token signed with the key it issued. */
function signedSecret({
  issuer,
  clientId,
  teamId,
  keyId,
  secret,
}: NonNullable<Env['providers']['apple']>): oidc.ClientAuth {
  const key = createPrivateKey(secret)
  return async (_server, _client, body) => {
    body.set('client_id', clientId)
    body.set(
      'client_secret',
      await new SignJWT()
        .setProtectedHeader({ alg: 'ES256', kid: keyId })
        .setIssuer(teamId)
        .setSubject(clientId)
        .setAudience(issuer)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(key),
    )
  }
}
