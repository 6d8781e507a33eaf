import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { FieldOf } from '../../generated/answers.ts'
import type { Line } from './goods.ts'
import { nth } from '#schema/rules/present'

const ADDRESS = {
  name: 'Nell Knitter',
  address: '1 Purl Lane',
  address2: '',
  city: 'Woolwich',
  state: 'ME',
  postalCode: '04579',
  country: 'United States',
}

export interface Asking {
  token?: string | undefined
  body?: unknown
  headers?: Record<string, string>
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The address the request comes from, any of 127.0.0.0/8. Left out: several addresses take turns, for crowds. */
  from?: string
}

/** What the shop may answer: GraphQL's answer, a refusal over REST, or an object. */
interface Json {
  data?: object | null
  errors?: { extensions?: { code?: string } }[]
  message?: string
  code?: string
  extensions?: { cost?: { requested: number } }
}

export interface Answer {
  /** 0 when the connection broke before an answer. */
  status: number
  json: Json
  retryAfter: string | undefined
}

/** Connections from one address: fewer than the shop allows one. */
const CONNECTIONS = 300
const CROWD = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'] as const
let turn = 0

const agents = new Map<string, Agent>()

function agentFrom(address: string): Agent {
  const known = agents.get(address)
  if (known) return known
  const agent = new Agent({
    connections: CONNECTIONS,
    localAddress: address,
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
  })
  agents.set(address, agent)
  return agent
}

/** Sends one request over real HTTP. Never throws: a broken connection counts as an answer too. */
export async function ask(
  url: string,
  {
    token,
    body,
    headers = {},
    method = body === undefined ? 'GET' : 'POST',
    from = nth(CROWD, turn++ % CROWD.length),
  }: Asking = {},
): Promise<Answer> {
  const sent = body instanceof Uint8Array ? body : body === undefined ? null : JSON.stringify(body)
  try {
    const answer = await request(url, {
      method,
      dispatcher: agentFrom(from),
      body: sent,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
    })
    const text = await answer.body.text()
    return {
      status: answer.statusCode,
      json: parsed(text) as Json,
      retryAfter: [answer.headers['retry-after']].flat()[0],
    }
  } catch (error) {
    return { status: 0, json: { message: String((error as Error).message) }, retryAfter: undefined }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Closes every connection. */
export async function hangUp(): Promise<void> {
  await Promise.all([...agents.values()].map(agent => agent.destroy()))
  agents.clear()
}

/** The result of a change: `ok`, the code of the refusal, or an error that no client should ever see. */
export interface Outcome<Data = unknown> {
  code: string
  data: Data
  status: number
}

/** Runs a mutation. The payload of its only field becomes the data. */
export async function mutate<const Document extends string>(
  url: string,
  token: string | undefined,
  query: Document,
  variables: object,
  more: Asking = {},
): Promise<Outcome<FieldOf<`mutation${Document}`>>> {
  const { status, json } = await ask(`${url}/graphql`, {
    token,
    body: { query: `mutation${query}`, variables },
    ...more,
  })
  const data = Object.values(json.data ?? {})[0] as FieldOf<`mutation${Document}`> & { userErrors?: { code: string }[] }
  const code =
    json.errors?.[0]?.extensions?.code ?? data?.userErrors?.[0]?.code ?? (status === 200 ? 'ok' : `status ${status}`)
  return { code, data, status }
}

/** Runs a REST call. */
export async function call(
  url: string,
  token: string | undefined,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Outcome> {
  const { status, json } = await ask(url + path, { token, method, body, ...(headers && { headers }) })
  return { status, data: json, code: status >= 200 && status < 300 ? 'ok' : (json.code ?? `status ${status}`) }
}

/** Whether the shop asks to come back later, having done nothing. */
export const isBusy = ({ status, code }: Outcome) => status === 503 || code === 'UNAVAILABLE'

/** Whether no client should see this answer: a crash of the shop, or silence. */
export const isFailure = (outcome: Outcome) =>
  !isBusy(outcome) && (outcome.status === 0 || outcome.status >= 500 || outcome.code === 'INTERNAL_SERVER_ERROR')

/** Comes back later when the shop asks for it, as people do. Also returns how often it did. */
export async function patiently<Data>(
  attempt: () => Promise<Outcome<Data>>,
): Promise<Outcome<Data> & { waits: number }> {
  for (let waits = 0; ; waits++) {
    const outcome = await attempt()
    if (!isBusy(outcome) || waits === 30) return { ...outcome, waits }
    await pause(500 + Math.random() * 1_000)
  }
}

export interface Buying {
  key?: string
  /** Over REST instead of GraphQL. */
  rest?: boolean
  from?: string
}

const NO_ORDER = { id: '' }

/** Places an order. Its data is `{ id }` and, over GraphQL, the `totalPrice` in cents. */
export async function placeOrder(
  url: string,
  token: string,
  lines: readonly Line[],
  { key, rest = false, from }: Buying = {},
): Promise<Outcome<{ id: string; totalPrice?: number }>> {
  if (rest) {
    const body = {
      orderItems: lines.map(({ productId, quantity }) => ({ _id: productId, quantity })),
      shippingAddress: ADDRESS,
      paymentMethod: 'PayPal',
    }
    const placed = await call(url, token, 'POST', '/api/orders', body, key ? { 'idempotency-key': key } : {})
    return { ...placed, data: placed.code === 'ok' ? { id: (placed.data as { _id: string })._id } : NO_ORDER }
  }
  const input = { lines, shippingAddress: ADDRESS, ...(key && { idempotencyKey: key }) }
  // With the cart as it is now, as the storefront asks.
  const placed = await mutate(
    url,
    token,
    `($input: PlaceOrderInput!) { placeOrder(input: $input) {
      order { id totalPrice }
      quote { lines { productId product { id sku name image price countInStock weight category } } }
      userErrors { code }
    } }`,
    { input },
    from ? { from } : {},
  )
  return { ...placed, data: placed.code === 'ok' ? placed.data.order : NO_ORDER }
}
