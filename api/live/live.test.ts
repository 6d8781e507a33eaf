import { request } from 'node:http'
import { connect as dial } from 'node:net'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { recordEvents } from '../event/record-events.ts'
import { ask } from '../testing/admin.ts'
import { followOver, transports } from '../testing/live.ts'
import { approvedPayment, bought, capturePaypalOrder, line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { lastOf, nth, present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const ORDER = 'subscription($id: ID!) { orderChanged(id: $id) { id reference status refundedAmount items { name } } }'
const BOARD = 'subscription { ordersChanged { type order { id status } } }'
const LOOK = { data: { ordersChanged: { type: null, order: null } } }

const codeOf = ({ errors }: { errors?: { extensions: { code: string } }[] }) => errors?.[0]?.extensions.code
/** The statuses an order had, one after the other. The event of its placing may arrive only after the first look at it. */
const statuses = (received: readonly { data: { orderChanged: { status: string } } }[]) =>
  received.map(({ data }) => data?.orderChanged.status).filter((status, index, all) => status !== all[index - 1])
const becomes = (received: readonly { data: { orderChanged: { status: string } } }[], ...expected: string[]) =>
  vi.waitFor(() => expect(statuses(received)).toEqual(expected), { timeout: 15_000, interval: 5 })
const deliver = (id: string, on = shop) =>
  ask(on, admin, 'mutation($id: ID!) { deliverOrder(id: $id) { userErrors { code } } }', { id })
const pay = async (buyer: Account, id: string, on = shop) =>
  capturePaypalOrder(on, buyer, id, await approvedPayment(on, buyer, id))
const happen = (id: string, type = 'ORDER_PAID', on = shop) =>
  on
    .em()
    .execute(
      `select pg_notify('events', json_build_object('id', ?::text, 'type', ?::text, 'subjectId', ?::text)::text)`,
      [id, type, id],
    )
const measured = (what: string, from: number) => console.log(`${what} ${Math.round(performance.now() - from)} ms`)
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

async function unpaid(buyer?: Account, on = shop) {
  const owner = buyer ?? (await makeUser(on.em()))
  return {
    owner,
    order: (await placed(on, owner, [line(await makeProduct(on.em()))])) as { id: string; reference: string },
  }
}

async function makeKey(account: Account, scopes: string[]): Promise<{ id: string; token: string }> {
  const {
    createApiKey: { apiKey, secret },
  } = await ask(
    shop,
    admin,
    'mutation($input: ApiKeyInput!) { createApiKey(input: $input) { apiKey { id } secret } }',
    { input: { name: 'Live', scopes, accountId: account.id } },
  )
  return { id: apiKey.id, token: secret }
}

describe.each(transports)('over %s', transport => {
  const follow = followOver(transport)
  describe('an order', () => {
    it('is told to its owner as it is, and then with every change, in order', async () => {
      const { owner, order } = await unpaid()
      const { results, received } = follow(shop, owner, ORDER, order)
      expect((await results(1))[0].data.orderChanged).toEqual({
        id: order.id,
        reference: order.reference,
        status: 'UNPAID',
        refundedAmount: 0,
        items: [{ name: expect.stringContaining('Yarn') }],
      })
      await pay(owner, order.id)
      await becomes(received, 'UNPAID', 'PAID')
      await deliver(order.id)
      await becomes(received, 'UNPAID', 'PAID', 'DELIVERED')
      await ask(
        shop,
        admin,
        'mutation($id: ID!) { refundOrder(orderId: $id, amount: 100, idempotencyKey: "one") { userErrors { code } } }',
        { id: order.id },
      )
      await vi.waitFor(
        () => expect(lastOf(received).data.orderChanged).toMatchObject({ status: 'DELIVERED', refundedAmount: 100 }),
        10_000,
      )
    })

    it('is told across processes: paid at one, followed at the other', async () => {
      const other = await openShop({ database: shop.databaseUrl })
      const { owner, order } = await unpaid()
      const { results, received } = follow(other, owner, ORDER, { id: order.id.toUpperCase() })
      await results(1)
      await pay(owner, order.id)
      await becomes(received, 'UNPAID', 'PAID')
      await other.close()
    })

    it('of somebody else is refused like one that does not exist, and visitors are asked to sign in', async () => {
      const { owner, order } = await unpaid()
      const other = await makeUser(shop.em())
      const refusals = []
      for (const id of [order.id, '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c', 'abc']) {
        const { results, ended } = follow(shop, other, ORDER, { id })
        refusals.push((await results(1))[0])
        expect(await ended()).toBe('complete')
      }
      expect(codeOf(nth(refusals, 0))).toBe('NOT_FOUND')
      expect(refusals.slice(1)).toEqual([refusals[0], refusals[0]])
      const visitor = follow(shop, null, ORDER, order)
      expect(codeOf((await visitor.results(1))[0])).toBe('UNAUTHENTICATED')
      expect(await visitor.ended()).toBe('complete')
      expect(codeOf((await follow(shop, owner, BOARD).results(1))[0])).toBe('FORBIDDEN')
    })
  })

  describe('the board of all orders', () => {
    it('begins with "read the list", then tells every event with its order', async () => {
      const { results } = follow(shop, admin, BOARD)
      expect(await results(1)).toEqual([LOOK])
      const owner = await makeUser(shop.em())
      const order = await bought(shop, owner, [line(await makeProduct(shop.em()))])
      await deliver(order.id)
      const received = (await results(4)).slice(1).map(({ data }) => data.ordersChanged)
      expect(received.map(({ type, order }) => [type, order.id])).toEqual([
        ['ORDER_PLACED', order.id],
        ['ORDER_PAID', order.id],
        ['ORDER_DELIVERED', order.id],
      ])
      expect(lastOf(received).order.status).toBe('DELIVERED')
    })
  })

  describe('a subscriber who may no longer', () => {
    let checking: TestShop
    let order: { id: string }
    /** An order that does not change. */
    let calm: { id: string }
    beforeAll(async () => {
      checking = await openShop({ database: shop.databaseUrl, streams: { checkMs: 200 } })
      order = (await unpaid()).order
      calm = (await unpaid()).order
      await pause(200)
    })
    afterAll(() => checking?.close())

    type Subscriber = { account: Account; identity: { id?: string; token: string } }
    const asUser = async (isAdmin: boolean): Promise<Subscriber> => {
      const account = await makeUser(shop.em(), { isAdmin })
      return { account, identity: { token: account.token } }
    }
    const withKey = async (): Promise<Subscriber> => {
      const account = await makeUser(shop.em(), { isAdmin: true })
      return { account, identity: await makeKey(account, ['READ_ORDERS']) }
    }

    test.each<[string, string, () => Promise<Subscriber>, (subscriber: Subscriber) => Promise<unknown>]>([
      [
        'has logged out',
        'UNAUTHENTICATED',
        () => asUser(true),
        ({ identity }) => ask(shop, identity, 'mutation { logout }'),
      ],
      [
        'has a closed account',
        'UNAUTHENTICATED',
        () => asUser(true),
        ({ account }) => shop.em().execute('update users set closed_at = now() where id = ?', [account.id]),
      ],
      [
        'is no administrator any more',
        'FORBIDDEN',
        () => asUser(true),
        ({ account }) => shop.em().execute('update users set is_admin = false where id = ?', [account.id]),
      ],
      [
        'has a revoked key',
        'UNAUTHENTICATED',
        withKey,
        ({ identity }) =>
          ask(shop, admin, 'mutation($id: ID!) { revokeApiKey(id: $id) { userErrors { code } } }', { id: identity.id }),
      ],
    ])(
      'because it %s, is told so at the next event, or at the next check, and no more',
      async (_what, code, make, loseRights) => {
        const subscriber = await make()
        const [board, page, atCheck] = [
          follow(shop, subscriber.identity, BOARD),
          follow(shop, subscriber.identity, ORDER, order),
          follow(checking, subscriber.identity, BOARD),
        ]
        for (const { results } of [board, page, atCheck]) await results(1)
        await loseRights(subscriber)
        expect(codeOf((await atCheck.results(2))[1])).toBe(code)
        expect([await atCheck.ended(), board.received]).toEqual(['complete', [LOOK]])
        await happen(order.id)
        expect(codeOf((await board.results(2))[1])).toBe(code)
        // A shopper learns nothing about other people's orders, not even that they exist.
        expect(codeOf((await page.results(2))[1])).toBe(code === 'FORBIDDEN' ? 'NOT_FOUND' : code)
        expect([await board.ended(), await page.ended(), board.received.length, page.received.length]).toEqual([
          'complete',
          'complete',
          2,
          2,
        ])
      },
    )

    test('but a check says nothing to those who may', async () => {
      const { received, results } = follow(checking, admin, ORDER, calm)
      const [first] = await results(1)
      await pause(700)
      expect(received).toEqual([first])
    })
  })

  describe('a key', () => {
    it('needs the scope of orders', async () => {
      const { owner, order } = await unpaid()
      for (const [scopes, code] of [
        [['READ_CATALOGUE', 'WRITE_ORDERS'], 'FORBIDDEN'],
        [['READ_ORDERS'], undefined],
      ] as const) {
        const key = await makeKey(owner, [...scopes])
        expect(codeOf((await follow(shop, key, ORDER, order).results(1))[0])).toBe(code)
        const adminKey = await makeKey(admin, [...scopes])
        expect(codeOf((await follow(shop, adminKey, BOARD).results(1))[0])).toBe(code)
      }
    })
  })

  describe('many subscribers', () => {
    it('200 to one order are all told of a change, each with a bounded number of statements', async () => {
      const { order } = await unpaid()
      await pause(200)
      const accounts = await Promise.all(Array.from({ length: 20 }, () => makeUser(shop.em(), { isAdmin: true })))
      const streams = accounts.flatMap(account =>
        Array.from({ length: 10 }, () =>
          follow(shop, account, 'subscription($id: ID!) { orderChanged(id: $id) { id status } }', order),
        ),
      )
      for (const { results } of streams) await results(1, 30_000)
      const statements = vi.spyOn(Client.prototype, 'query')
      const committed = performance.now()
      await shop.em().transactional(async em => {
        await em.execute('update orders set paid_at = now(), held_until = null where id = ?', [order.id])
        await recordEvents(em, [{ type: 'ORDER_PAID', subjectId: order.id, data: {} }])
      })
      for (const { results } of streams) await results(2, 30_000)
      measured('200 subscribers told after', committed)
      for (const { received } of streams) expect(statuses(received)).toEqual(['UNPAID', 'PAID'])
      // One statement for the account and one for the order each; the rest is the change itself, and the shop's other work.
      expect(statements.mock.calls.length).toBeLessThan(200 * 3)
      statements.mockClear()
      // Events that wait together are read once, however many there are.
      await shop.em().transactional(em =>
        recordEvents(
          em,
          Array.from({ length: 50 }, () => ({ type: 'ORDER_PAID', subjectId: order.id, data: {} })),
        ),
      )
      for (const { results } of streams) await results(3, 30_000)
      await pause(1_500)
      expect(statements.mock.calls.length).toBeLessThan(200 * 5)
      for (const { received } of streams) expect(received.length).toBeLessThanOrEqual(4)
      statements.mockRestore()
    })

    it('one account has at most ten streams, and may open another with every one that ends', async () => {
      const account = await makeUser(shop.em(), { isAdmin: true })
      const streams = Array.from({ length: 10 }, () => follow(shop, account, BOARD))
      for (const { results } of streams) await results(1)
      expect(await follow(shop, account, BOARD).refused()).toBe(429)
      nth(streams, 0).stop()
      await vi.waitFor(async () => expect((await follow(shop, account, BOARD).results(1))[0]).toEqual(LOOK), {
        timeout: 15_000,
      })
    })
  })

  it('tells a change within moments of its commit', async () => {
    const { owner, order } = await unpaid()
    await pause(200)
    const { results } = follow(shop, owner, ORDER, order)
    await results(1)
    const times: number[] = []
    for (let time = 0; time < 20; time++) {
      await pause(20)
      const committed = performance.now()
      await shop.em().transactional(em => recordEvents(em, [{ type: 'ORDER_PAID', subjectId: order.id, data: {} }]))
      await results(time + 2)
      times.push(performance.now() - committed)
    }
    times.sort((a, b) => a - b)
    console.log(`commit to client: median ${Math.round(nth(times, 10))} ms, slowest ${Math.round(nth(times, 19))} ms`)
    expect(times[10]).toBeLessThan(3_000)
  })

  describe('when the shop lost its ear', () => {
    it('every stream looks again as soon as it hears again', async () => {
      const { owner, order } = await unpaid()
      const [page, board] = [follow(shop, owner, ORDER, order), follow(shop, admin, BOARD)]
      await page.results(1)
      await board.results(1)
      await pause(200)
      board.received.length = 0
      await shop.em().execute('update orders set paid_at = now(), held_until = null where id = ?', [order.id])
      await shop
        .em()
        .execute(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'skein events'`,
        )
      await becomes(page.received, 'UNPAID', 'PAID')
      expect((await board.results(1)).at(-1)).toEqual(LOOK)
    })
  })

  it('takes only so many streams from one address, whoever asks for them', async () => {
    const small = await openShop({ streams: { perAddress: 2 }, trustProxy: '127.0.0.1' })
    const open = async (forwardedFor: string) => {
      const headers = { 'x-forwarded-for': forwardedFor }
      return follow({ url: small.url, headers }, await makeUser(small.em(), { isAdmin: true }), BOARD)
    }
    const first = await open('10.0.0.1')
    await first.results(1)
    await (await open('10.0.0.1')).results(1)
    expect(await (await open('10.0.0.1')).refused()).toBe(429)
    await (await open('10.0.0.2')).results(1)
    first.stop()
    await vi.waitFor(async () => expect((await (await open('10.0.0.1')).results(1))[0]).toEqual(LOOK), {
      timeout: 15_000,
    })
    await small.close()
  })

  it('takes only so many streams altogether, and only listed ones where the shop runs its own alone', async () => {
    const small = await openShop({ streams: { total: 2 }, persistedOnly: true })
    const em = small.em()
    const [keeper, other, shopper] = [
      await makeUser(em, { isAdmin: true }),
      await makeUser(em, { isAdmin: true }),
      await makeUser(em),
    ]
    expect(codeOf((await follow(small, shopper, ORDER, { id: shopper.id }).results(1))[0])).toBe('OPERATION_NOT_LISTED')
    for (const each of [keeper, other]) await follow(small, each, BOARD).results(1)
    expect(await follow(small, shopper, ORDER, { id: shopper.id }).refused()).toBe(503)
    await small.close()
  })
  it('ends every stream at once when a process stops, and its clients go on with another', async () => {
    const stopping = await openShop({ database: shop.databaseUrl })
    const { owner, order } = await unpaid()
    let { url } = stopping
    const { results, received } = follow(
      {
        get url() {
          return url
        },
      },
      owner,
      ORDER,
      order,
      5,
    )
    const lone = follow(stopping, admin, BOARD)
    // A client that never reads must not delay the stop.
    const socket = dial(Number(new URL(url).port), '127.0.0.1', () => {
      const body = JSON.stringify({ query: BOARD })
      socket.write(
        `POST /graphql/stream HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\nauthorization: Bearer ${admin.token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      )
      socket.pause()
    })
    await results(1)
    await lone.results(1)
    url = shop.url
    const started = performance.now()
    const closed = stopping.close()
    expect(await lone.ended()).toBeInstanceOf(Error)
    measured('streams ended', started)
    expect(performance.now() - started).toBeLessThan(5_000)
    await results(2)
    await pay(owner, order.id)
    await becomes(received, 'UNPAID', 'PAID')
    await closed
    measured('whole shop closed', started)
    socket.destroy()
  })
})

describe('the address of streams', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${shop.url}/graphql/stream`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${admin.token}`,
        ...headers,
      },
      body: JSON.stringify(body),
    })
  const only = async (body: unknown) => {
    const text = await (await post(body)).text()
    expect(text).toMatch(/^event: next\ndata: .+\n\nevent: complete\ndata:\n\n$/)
    return JSON.parse(nth(present(/data: (.+)/.exec(text)), 1))
  }

  it('keeps proxies from holding events back', async () => {
    const { headers, body } = await post({ query: BOARD })
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
      'cache-control': 'no-store, no-transform',
    })
    expect(headers.get('content-encoding')).toBeNull()
    await present(body).cancel()
  })

  test.each<[string, unknown, string]>([
    ['a query', { query: '{ shop { name } }' }, 'BAD_REQUEST'],
    ['a mutation', { query: 'mutation { logout }' }, 'BAD_REQUEST'],
    ['nonsense', { query: '{' }, 'GRAPHQL_PARSE_FAILED'],
    [
      'too many aliases',
      {
        query: `subscription { ordersChanged { ${Array.from({ length: 16 }, (_, index) => `a${index}: type`).join(' ')} } }`,
      },
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['too many tokens', { query: `subscription { ordersChanged { ${'type '.repeat(600)} } }` }, 'GRAPHQL_PARSE_FAILED'],
    [
      'two subscriptions at once',
      { query: 'subscription { a: ordersChanged { type } b: ordersChanged { type } }' },
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['a variable of a wrong type', { query: ORDER, variables: {} }, 'BAD_USER_INPUT'],
  ])('refuses %s in the stream, which is over then', async (_what, body, code) => {
    expect(codeOf(await only(body))).toBe(code)
  })

  it('refuses with a status what is no such request', async () => {
    for (const [status, refused] of [
      [406, await post({ query: BOARD }, { accept: 'application/json' })],
      [400, await post({})],
      [413, await post({ query: `${BOARD} #${'x'.repeat(200_000)}` })],
    ] as const)
      expect([refused.status, await refused.json()]).toEqual([
        status,
        {
          errors: [{ message: expect.any(String), extensions: expect.objectContaining({ code: expect.any(String) }) }],
        },
      ])
  })

  it('is told to who asks for a subscription as for a query', async () => {
    const { status, errors } = await shop.gql(BOARD, {}, admin)
    expect([status, nth(present(errors), 0).message]).toEqual([
      400,
      'Subscriptions are told as events at /graphql/stream, or here over a WebSocket or to who accepts multipart/mixed;subscriptionSpec=1.0.',
    ])
  })
})

describe('the parts Apollo’s clients ask for', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${shop.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0", application/json',
        authorization: `Bearer ${admin.token}`,
        ...headers,
      },
      body: JSON.stringify(body),
    })

  it('are wrapped, each with the boundary that ends it, and a refusal is the last', async () => {
    const answer = await post({ query: 'subscription { ordersChanged { nothing } }' })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
      'cache-control': 'no-store, no-transform',
      'x-request-id': expect.any(String),
    })
    const [before, , headers, empty, json, closing] = (await answer.text()).split('\r\n').with(1, '--graphql')
    expect([before, headers, empty, closing]).toEqual(['', 'content-type: application/json', '', '--graphql--'])
    expect(JSON.parse(present(json))).toEqual({
      payload: { errors: [expect.objectContaining({ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } })] },
    })
  })

  it.each(['{ shop { name } }', 'mutation { logout }'])('are not for %s', async query => {
    expect(await (await post({ query })).text()).toContain('Queries and mutations are answered at /graphql')
    expect((await shop.gql('{ viewer { id } }', {}, admin)).data.viewer.id).toBe(admin.id)
  })

  it('do not come where a status says no', async () => {
    for (const [status, refused] of [
      [400, await post({})],
      [401, await post({ query: BOARD }, { authorization: `Bearer ${'x'.repeat(43)}` })],
      [413, await post({ query: `${BOARD} #${'x'.repeat(200_000)}` })],
    ] as const)
      expect([refused.status, ((await refused.json()) as { errors: unknown[] }).errors.length]).toEqual([status, 1])
  })

  it('are what Apollo Client shows', async () => {
    const { owner, order } = await unpaid()
    const link = new HttpLink({ uri: `${shop.url}/graphql`, headers: { authorization: `Bearer ${owner.token}` } })
    const client = new ApolloClient({ link, cache: new InMemoryCache() })
    const shown: string[] = []
    const following = client
      .subscribe<{ orderChanged: { status: string } }>({ query: gql(ORDER), variables: order })
      .subscribe(({ data }) => void shown.push(present(data).orderChanged.status))
    await vi.waitFor(() => expect(shown).toContain('UNPAID'), 12_000)
    await pay(owner, order.id)
    await vi.waitFor(() => expect(shown.at(-1)).toBe('PAID'), 12_000)
    following.unsubscribe()
  })
})

describe('a WebSocket', () => {
  let strict: TestShop
  beforeAll(async () => {
    strict = await openShop({
      corsOrigins: ['https://app.example'],
      streams: { perClient: 3, perAddress: 6, initMs: 1_500, pingMs: 1_000 },
      rateLimit: 1_000,
      trustProxy: '127.0.0.1',
    })
  })
  afterAll(() => strict?.close())

  /** Connects a client from a new address, which can send anything and records what it receives. */
  let addresses = 0
  async function connected({ at = strict, init = true, headers = {}, token = '' } = {}) {
    const socket = new WebSocket(`${at.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      headers: { 'x-forwarded-for': `10.1.0.${++addresses}`, ...headers },
    })
    const heard: { type: string; id?: string; payload?: unknown }[] = []
    socket.on('message', data => void heard.push(JSON.parse(String(data))))
    const closed = new Promise<[number, string]>(resolve => {
      socket.once('close', (code, reason) => resolve([code, String(reason)]))
    })
    onTestFinished(() => socket.terminate())
    const say = (message: object) => socket.send(JSON.stringify(message))
    const refused = new Promise<number>(resolve => {
      socket.once('unexpected-response', (_request, response) => resolve(present(response.statusCode)))
      socket.once('open', () => resolve(101))
    })
    socket.on('error', () => {})
    expect(await refused).toBe(101)
    if (init) say({ type: 'connection_init', payload: token ? { authorization: `Bearer ${token}` } : {} })
    if (init) await Promise.race([closed, vi.waitFor(() => expect(heard).not.toEqual([]), 12_000)])
    return { socket, say, heard, closed }
  }
  const upgrade = (headers: Record<string, string>, path = '/graphql', at = strict) =>
    new Promise<number>(resolve => {
      const socket = new WebSocket(at.url.replace('http', 'ws') + path, 'graphql-transport-ws', { headers })
      onTestFinished(() => socket.terminate())
      socket.on('error', () => {})
      socket.once('unexpected-response', (_request, response) => resolve(present(response.statusCode)))
      socket.once('open', () => resolve(101))
    })
  const subscribe = (id: string, query = BOARD) => ({ id, type: 'subscribe', payload: { query } })
  const keeper = () => makeUser(strict.em(), { isAdmin: true })

  it('names its connection, and tells several subscriptions', async () => {
    const { say, heard } = await connected({ token: (await keeper()).token })
    expect(heard[0]).toEqual({ type: 'connection_ack', payload: { requestId: expect.any(String) } })
    say(subscribe('one'))
    say(subscribe('two'))
    await vi.waitFor(
      () =>
        expect(heard.slice(1)).toEqual(
          expect.arrayContaining(['one', 'two'].map(id => ({ id, type: 'next', payload: LOOK }))),
        ),
      12_000,
    )
  })

  it('is closed for who brings no good token, or a revoked one', async () => {
    const key = await makeKey(admin, ['READ_ORDERS'])
    await ask(shop, admin, 'mutation($id: ID!) { revokeApiKey(id: $id) { userErrors { code } } }', { id: key.id })
    for (const token of [key.token, 'x'.repeat(43), '0'])
      expect(await (await connected({ at: shop, token })).closed).toEqual([
        4401,
        expect.stringMatching(/^UNAUTHENTICATED: /),
      ])
    expect(await upgrade({ authorization: `Bearer ${key.token}` }, '/graphql', shop)).toBe(401)
  })

  it('is closed for who says nothing, something else first, or nothing that can be read', async () => {
    expect(await (await connected({ init: false })).closed).toEqual([4408, 'Connection initialisation timeout'])
    const hasty = await connected({ init: false })
    hasty.say(subscribe('one'))
    expect((await hasty.closed)[0]).toBe(4401)
    const strange = await connected()
    strange.socket.send('{')
    expect((await strange.closed)[0]).toBe(4400)
  })

  it('is closed for a message longer than a body may be, and for too many', async () => {
    const { say, closed } = await connected()
    say({ type: 'ping', payload: { text: 'x'.repeat(100_000) } })
    expect((await closed)[0]).toBe(1009)
    for (const kind of ['message', 'frame']) {
      const { socket, say, closed } = await connected()
      for (let index = 0; index < 300; index++) {
        if (kind === 'frame') socket.ping()
        else say({ type: 'ping' })
      }
      expect(await closed).toEqual([4429, 'Too many messages'])
    }
  })

  it('is closed for who does not read', async () => {
    const { socket, closed } = await connected({ token: (await keeper()).token })
    socket.pause()
    await pause(3_000)
    socket.resume()
    expect((await closed)[0]).toBe(1006)
  })

  it('takes so many subscriptions as an account has streams, however many sockets it has', async () => {
    const { token } = await keeper()
    const [first, second] = [await connected({ token }), await connected({ token })]
    for (const id of ['1', '2', '3', '4']) first.say(subscribe(id))
    await vi.waitFor(() => expect(first.heard.filter(({ type }) => type === 'next').length).toBe(3), 12_000)
    const refused = { type: 'error', payload: [{ message: expect.any(String), extensions: { code: 'RATE_LIMITED' } }] }
    await vi.waitFor(() => expect(first.heard).toContainEqual({ id: '4', ...refused }), 12_000)
    second.say(subscribe('5'))
    await vi.waitFor(() => expect(second.heard).toContainEqual({ id: '5', ...refused }), 12_000)
    first.say({ id: '1', type: 'complete' })
    await vi.waitFor(() => {
      second.say(subscribe(String(performance.now())))
      expect(second.heard.some(({ type }) => type === 'next')).toBe(true)
    }, 12_000)
    first.socket.terminate()
  })

  it.each(['{ shop { name } }', 'mutation { logout }'])('does not answer %s', async query => {
    const { say, heard } = await connected({ token: (await keeper()).token })
    say(subscribe('one', query))
    await vi.waitFor(
      () =>
        expect(heard[1]).toMatchObject({
          type: 'error',
          payload: [{ message: expect.stringContaining('Queries and mutations are answered at /graphql') }],
        }),
      12_000,
    )
  })

  it('has each subscription pay, like a request', async () => {
    const { say, heard } = await connected({ token: (await keeper()).token })
    for (let index = 0; index < 60; index++) {
      say(subscribe(String(index), 'subscription { nothing }'))
      await vi.waitFor(() => expect(heard.length).toBe(index + 2), { timeout: 12_000, interval: 2 })
    }
    const codes = heard
      .slice(1)
      .map(({ payload }) => nth(payload as { extensions: { code: string } }[], 0).extensions.code)
    expect([codes[0], codes.at(-1)]).toEqual(['GRAPHQL_VALIDATION_FAILED', 'RATE_LIMITED'])
  })

  it('is one of so many of an address', async () => {
    const headers = { 'x-forwarded-for': '10.2.0.1' }
    const asked = await Promise.all(Array.from({ length: 8 }, () => upgrade(headers)))
    expect(asked.toSorted()).toEqual([101, 101, 101, 101, 101, 101, 429, 429])
    expect(await upgrade({ 'x-forwarded-for': '10.2.0.2' })).toBe(101)
  })

  it('is for pages of the origins that may use the API, and of the shop', async () => {
    expect([
      await upgrade({ origin: 'https://app.example' }),
      await upgrade({ origin: strict.url }),
      await upgrade({ origin: 'https://other.example' }),
      await upgrade({ origin: 'null' }),
      await upgrade({ origin: 'https://other.example' }, '/graphql', shop),
    ]).toEqual([101, 101, 403, 403, 101])
  })

  it('is at one address; other upgrades are passed over', async () => {
    expect(await upgrade({}, '/api/products', shop)).toBe(200)
    const answer = await new Promise<number>((resolve, reject) => {
      const headers = {
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: 'h2c',
        'http2-settings': '',
        'apollo-require-preflight': 'yes',
      }
      request(`${shop.url}/graphql?query={shop{name}}`, { headers }, ({ statusCode }) => resolve(present(statusCode)))
        .on('error', reject)
        .end()
    })
    expect(answer).toBe(200)
  })
})
