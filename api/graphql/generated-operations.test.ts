import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sample } from 'fast-check'
import {
  FieldsOnCorrectTypeRule,
  GraphQLError,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  parse,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  validate,
  ValuesOfCorrectTypeRule,
  VariablesInAllowedPositionRule,
  type DocumentNode,
} from 'graphql'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { hashPassword } from '../account/password.ts'
import { schema } from '../schema.ts'
import { ask } from '../testing/admin.ts'
import { line, placed } from '../testing/purchase.ts'
import { rootFields, refusalsInProse } from '../testing/gates/operations.ts'
import { CHOICES, operationFrom, type Operation } from '../testing/generate-operation.ts'
import { makeProduct, makeUser, openShop, type Identity, type TestShop } from '../testing/shop.ts'
import { QUERY_LIMITS } from './query-limits.ts'
import { nth, present } from '#schema/rules/present'

/** How many operations, and their seed. `OPERATIONS` and `OPERATIONS_SEED` change them. */
const COUNT = Number(process.env['OPERATIONS'] ?? 50_000)
const SEED = Number(process.env['OPERATIONS_SEED'] ?? 1_918)
/** So many operations share one world, because they delete and change what is in it. */
const CHUNK = 2_000
const AT_ONCE = 8
/** One in so many goes over a socket. Of the others, those that pass the parser and the commonest rules take all other steps. */
const OVER_HTTP = 20
const LONGEST_MS = 2_000
const MOST_MEMORY = 200_000_000

const REFUSED: Outcome = { status: 400, codes: ['refused'], text: '', untold: [] }
const KNOWN = [
  'data',
  'refused',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'PAYLOAD_TOO_LARGE',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'RATE_LIMITED',
]

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
/** Bytes in use after a garbage collection. */
const heap = () => {
  collect()
  return process.memoryUsage().heapUsed
}

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ keepAnswersMs: 0 })
})
afterAll(() => shop?.close())

interface Chunk {
  /** One id of every kind of thing. */
  ids: string[]
  askers: Identity[]
}

async function makeChunk(passwordHash: string): Promise<Chunk> {
  const em = shop.em()
  const [shopper, admin, bystander] = [
    await makeUser(em, { passwordHash }),
    await makeUser(em, { passwordHash, isAdmin: true }),
    await makeUser(em, { passwordHash }),
  ]
  const product = await makeProduct(em, { countInStock: 100_000 })
  const order = await placed(shop, shopper, [line(product)])
  const { createReview } = await ask(
    shop,
    bystander,
    'mutation ($id: ID!) { createReview(productId: $id, input: { rating: 4, comment: "Round." }) { review { id } } }',
    { id: product.id },
  )
  const { createApiKey } = await ask(
    shop,
    admin,
    'mutation ($id: ID) { createApiKey(input: { name: "Till", scopes: [READ_CATALOGUE, READ_ORDERS, WRITE_ORDERS], accountId: $id }) { apiKey { id } secret } }',
    { id: admin.id },
  )
  const spare = await ask(
    shop,
    admin,
    'mutation ($id: ID) { createApiKey(input: { name: "Spare", scopes: [ADMIN], accountId: $id }) { apiKey { id } } }',
    { id: admin.id },
  )
  // Removes webhooks of earlier chunks, so that deliveries do not grow with every chunk.
  // Nothing listens at their address: see `webhookReach` in shop.ts.
  await em.execute('delete from webhooks')
  const { createWebhook } = await ask(
    shop,
    admin,
    'mutation { createWebhook(input: { url: "https://warehouse.example.com/skein", events: [ORDER_PAID] }) { webhook { id } } }',
  )
  const { sendTestEvent } = await ask(
    shop,
    admin,
    'mutation ($id: ID!) { sendTestEvent(webhookId: $id) { delivery { id } } }',
    createWebhook.webhook,
  )
  return {
    ids: [
      product.id,
      product.id,
      order.id,
      order.id,
      bystander.id,
      createReview.review.id,
      spare.createApiKey.apiKey.id,
      createWebhook.webhook.id,
      sendTestEvent.delivery.id,
    ],
    askers: [null, shopper, admin, { token: createApiKey.secret }],
  }
}

/** The rules that most mistakes break. The shop has to find the other mistakes. */
const RULES = [
  FieldsOnCorrectTypeRule,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  ValuesOfCorrectTypeRule,
  VariablesInAllowedPositionRule,
]

/** Whether an operation is certain to be refused before it runs. An error that is not a GraphQL error is thrown. */
function isRefused({ query }: Operation): boolean {
  let document: DocumentNode
  try {
    document = parse(query, { maxTokens: QUERY_LIMITS.tokens })
  } catch (error) {
    if (error instanceof GraphQLError) return true
    throw error
  }
  return validate(schema, document, RULES, { maxErrors: 1 }).length > 0
}

interface Outcome {
  status: number
  /** Codes of the errors; `data` when there are none. */
  codes: string[]
  text: string
  /** Codes of `userErrors` that the contract does not promise for any of these root fields. */
  untold: string[]
}

const PROMISED = new Map(
  [...rootFields('Query'), ...rootFields('Mutation')].map(field => [field.name, refusalsInProse(field)]),
)

async function outcomeOf(
  operation: Operation,
  roots: readonly string[],
  asker: Identity,
  overHttp: boolean,
): Promise<Outcome> {
  const headers = { 'content-type': 'application/json', ...(asker && { authorization: `Bearer ${asker.token}` }) }
  const body = JSON.stringify(operation)
  const { status, text } = overHttp
    ? await shop.send(body, headers).then(async response => ({ status: response.status, text: await response.text() }))
    : await shop.app
        .inject({ method: 'POST', url: '/graphql', headers, payload: body })
        .then(({ statusCode, payload }) => ({ status: statusCode, text: payload }))
  const { data, errors } = JSON.parse(text) as {
    data?: Record<string, { userErrors?: { code: string }[] } | null> | null
    errors?: { extensions?: { code?: string } }[]
  }
  const codes = errors?.map(({ extensions }) => extensions?.code ?? 'none') ?? [data === undefined ? 'nothing' : 'data']
  const refusals = Object.values(data ?? {})
    .flatMap(result => (Array.isArray(result?.userErrors) ? result.userErrors : []))
    .map(({ code }) => code)
  return {
    status,
    codes,
    text: text.slice(0, 300),
    untold: refusals.filter(code => !roots.some(root => PROMISED.get(root)?.includes(code))),
  }
}

/** The root fields that an operation without mistakes has asked for. */
const asked = new Set<string>()

it(
  `${COUNT.toLocaleString('en-US')} generated operations get an answer, and never an apology`,
  { timeout: 1_200_000 },
  async () => {
    const passwordHash = await hashPassword('knit one, purl two')
    // Every refusal creates an error, and its stack trace is not needed.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    onTestFinished(() => {
      Error.stackTraceLimit = stackTraceLimit
    })
    const tally: Record<string, number> = {}
    const failures: object[] = []
    let slowest = { ms: 0, query: '' }
    const [before, started, cpu] = [heap(), performance.now(), process.cpuUsage()]

    for (let first = 0; first < COUNT && failures.length === 0; first += CHUNK) {
      const { ids, askers } = await makeChunk(passwordHash)
      const made = sample(CHOICES, { seed: SEED + first, numRuns: Math.min(CHUNK, COUNT - first) })
      const tryOnce = async (index: number): Promise<object | null> => {
        const { operation, sound, roots } = operationFrom(nth(made, index), ids)
        const overHttp = index % OVER_HTTP === 0
        // The asker matters only for operations that run; most others are refused before the asker is looked up.
        const asker = sound || index % 20 === 1 ? nth(made, index).length % askers.length : 0
        const from = performance.now()
        const { status, codes, text, untold } =
          !overHttp && !sound && isRefused(operation)
            ? REFUSED
            : await outcomeOf(operation, roots, nth(askers, asker), overHttp)
        const ms = Math.round(performance.now() - from)
        if (sound) roots.forEach(root => asked.add(root))
        for (const code of new Set(codes)) tally[code] = (tally[code] ?? 0) + 1
        if (ms > slowest.ms) slowest = { ms, query: operation.query }
        const fine =
          status < 500 && codes.every(code => KNOWN.includes(code)) && untold.length === 0 && ms <= LONGEST_MS
        return fine
          ? null
          : {
              status,
              text,
              untold,
              ms,
              seed: SEED,
              index: first + index,
              as: ['visitor', 'shopper', 'administrator', 'key'][asker],
              ...operation,
            }
      }
      let next = 0
      const unsure: number[] = []
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let index = next++; index < made.length; index = next++) if (await tryOnce(index)) unsure.push(index)
        }),
      )
      for (const index of unsure) {
        // A machine busy with something else is slow once; an operation that is slow or broken itself stays so.
        const tries = [await tryOnce(index), await tryOnce(index), await tryOnce(index)]
        if (!tries.includes(null)) failures.push(present(nth(tries, 2)))
      }
    }

    const grown = heap() - before
    const { user, system } = process.cpuUsage(cpu)
    console.log(
      `${COUNT} operations from seed ${SEED} in ${Math.round((performance.now() - started) / 1000)} s, ${Math.round((user + system) / 1e6)} s of them computing; slowest ${slowest.ms} ms; memory grew by ${Math.round(grown / 1e6)} MB;`,
      tally,
      `\nslowest: ${slowest.query.slice(0, 500)}`,
    )
    expect(failures.slice(0, 3)).toEqual([])
    expect(grown).toBeLessThan(MOST_MEMORY)
    // The generator must not only produce refusals: each kind of answer was seen, and each field asked for.
    // Fewer operations prove too little.
    if (COUNT < 50_000) return
    expect(
      [
        'data',
        'refused',
        'GRAPHQL_PARSE_FAILED',
        'GRAPHQL_VALIDATION_FAILED',
        'BAD_USER_INPUT',
        'UNAUTHENTICATED',
        'FORBIDDEN',
      ].filter(kind => (tally[kind] ?? 0) < COUNT / 1_000),
    ).toEqual([])
    expect(
      [...rootFields('Query'), ...rootFields('Mutation')].map(({ name }) => name).filter(name => !asked.has(name)),
    ).toEqual([])
  },
)
