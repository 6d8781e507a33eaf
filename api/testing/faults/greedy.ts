import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { HOLD_LIMITS } from '#schema/rules/hold-limits'
import { COST_HEADER } from '../../graphql/limit-cost.ts'
import { QUERY_LIMITS } from '../../graphql/query-limits.ts'
import { CONNECTIONS } from '../../http/connections.ts'
import { STREAM_LIMITS } from '../../live/stream.ts'
import { form, overGraphql, slowFiles } from './hostile-uploads.ts'
import { line, makeProducts, makeShoppers, type Shopper } from './goods.ts'
import { ask, placeOrder } from './requests.ts'
import { atLeast, atMost, none, percentile, pick, type Figure, type Scenario } from './scenario.ts'
import { nth, present } from '#schema/rules/present'

const HONEST = 20
/** An honest client's pause between two requests. */
const THINKING_MS = 500
const GOAL_MS = 1_000
/** Requests of each kind before measuring begins. */
const WARMING = 20
/** The pause before connecting again: this process is busy with the honest clients, too. */
const REDIAL_MS = 500
/** The greedy client's address. Each honest client has one of its own. */
const GREEDY = '127.0.1.1'
/** Another address for the costly queries, which has points left when the first one's are spent. */
const COSTLY_ONE = '127.0.1.2'
const BUSY = [429, 503]
const STOCK = 1_000
/** Costs nearly as much as one operation may. */
const COSTLY =
  'query ($n: Int!) { productsConnection(first: $n) { edges { node { id name description reviews { items { comment product { name reviews { items { comment } } } } } } } } }'
const COSTLY_FIRST = 30
/** The least it must cost to count as a costly query. */
const COSTLY_POINTS = QUERY_LIMITS.cost * 0.8
const IMPORT = 'mutation ($csv: Upload!) { importProducts(csv: $csv) { userErrors { code } } }'
const STREAM = 'subscription ($id: ID!) { orderChanged(id: $id) { id } }'

interface Kind {
  name: string
  /** Is greedy until `over`. Returns how much it got of what is limited. */
  run(over: AbortSignal): Promise<Figure[]>
}

/** One greedy client beside honest ones. It is greedy in one way after the other, for as many seconds each as there are rounds. */
export const greedy: Scenario = {
  name: 'greedy',
  full: { rounds: 7, crowd: 40 },
  short: { rounds: 1, crowd: 10 },
  async run({ sql, startShop }, { rounds, crowd, random }) {
    // Production limits, which the ground's own shop does not have.
    const { url, end } = await startShop({
      RATE_LIMIT: '120000',
      HOLD_ORDERS_PER_ACCOUNT: String(HOLD_LIMITS.ordersPerAccount),
      HOLD_UNITS_PER_ACCOUNT: String(HOLD_LIMITS.unitsPerAccount),
      HOLD_ORDERS_PER_ADDRESS: String(HOLD_LIMITS.ordersPerAddress),
      HOLD_UNITS_PER_ADDRESS: String(HOLD_LIMITS.unitsPerAddress),
    })
    const products = await makeProducts(sql, Array<number>(24).fill(STOCK))
    // Administrators may follow any order, so one order is enough for all streams.
    const administrators = await makeShoppers(sql, Math.ceil(STREAM_LIMITS.perAddress / STREAM_LIMITS.perClient) + 2, {
      isAdmin: true,
    })
    const buyers = await makeShoppers(sql, 6)
    const reviewed = JSON.stringify(products)
    await sql(
      `insert into reviews (id, product_id, user_id, name, rating, comment, verified_purchase, created_at)
       select gen_random_uuid(), p::uuid, u::uuid, 'Nell', 5, repeat('Round and soft. ', 20), false, now()
       from jsonb_array_elements_text(?::jsonb) p, jsonb_array_elements_text(?::jsonb) u`,
      [reviewed, JSON.stringify(administrators.map(({ id }) => id))],
    )
    await sql(
      `update products p set num_reviews = r.count, rating_sum = r.sum
       from (select product_id, count(*)::int as count, sum(rating)::int as sum from reviews group by 1) r
       where p.id = r.product_id and p.id in (select jsonb_array_elements_text(?::jsonb)::uuid)`,
      [reviewed],
    )

    const honest = [
      (from: string) => {
        const product = pick(products, random)
        return ask(`${url}/product/${product}/yarn-${product}?visit=${random()}`, { from })
      },
      (from: string) => ask(`${url}/`, { from }),
      (from: string) =>
        ask(`${url}/graphql`, { from, body: { query: '{ products { items { id name price rating } } }' } }),
      (from: string) =>
        ask(`${url}/graphql`, {
          from,
          body: {
            query: 'query ($k: String) { products(keyword: $k) { items { id name } } }',
            variables: { k: `yarn ${random()}` },
          },
        }),
    ]
    /** Measures honest clients while `run` is greedy: milliseconds of each answer, and requests that failed. */
    async function beside(run: Kind['run']) {
      const [over, times, busy, failed] = [
        AbortSignal.timeout(rounds * 1_000),
        [] as number[],
        [] as number[],
        [] as string[],
      ]
      const visits = Array.from({ length: HONEST }, async (_, index) => {
        await pause(random() * THINKING_MS)
        while (!over.aborted) {
          const asked = performance.now()
          const { status } = await pick(honest, random)(`127.0.2.${index + 1}`)
          if (status === 200) times.push(performance.now() - asked)
          else if (BUSY.includes(status)) busy.push(status)
          else failed.push(`${status}`)
          await pause(THINKING_MS)
        }
      })
      const figures = await run(over)
      await Promise.all(visits)
      return { figures, p99: percentile(times, 99), served: times.length, busy: busy.length, failed }
    }

    /** Keeps so many connections open, and opens each again when the shop closes it. */
    async function dialling(count: number, over: AbortSignal, begin: (socket: Socket, index: number) => void) {
      const ended = aborted(over)
      await Promise.all(
        Array.from({ length: count }, async (_, index) => {
          while (!over.aborted) {
            const socket = dial(url)
            socket.once('connect', () => begin(socket, index))
            await Promise.race([new Promise(resolve => socket.once('close', resolve)), ended])
            socket.destroy()
            await pause(REDIAL_MS)
          }
        }),
      )
    }
    /** Keeps asking, so many requests at a time, whatever the answers. */
    const asking = async (over: AbortSignal, request: (index: number) => Promise<unknown>) => {
      await Promise.all(
        Array.from({ length: crowd }, async (_, index) => {
          while (!over.aborted) {
            await request(index)
            // Refusals come as fast as the shop can send them. The pause leaves this process time to measure the honest clients.
            await pause(10)
          }
        }),
      )
    }
    const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${more}\r\n`

    const kinds: Kind[] = [
      {
        name: 'pipelined requests',
        async run(over) {
          await dialling(crowd, over, (socket, index) => {
            const count = index % 2 ? CONNECTIONS.pipelined : 60
            const junk = index % 4 > 1 ? 'Authorization: Bearer junk\r\n' : ''
            socket.resume().write(Array.from({ length: count }, () => get(`/search/${random()}`, junk)).join(''))
            setTimeout(() => socket.destroy(), 1_000)
          })
          return []
        },
      },
      {
        name: 'streams without end',
        async run(over) {
          const { data } = await placeOrder(url, nth(buyers, 0).token, [line(nth(products, 0))], { from: GREEDY })
          const open = await openStreams(url, administrators, data.id as string, over)
          return [
            atMost('  streams opened', STREAM_LIMITS.perAddress, open),
            // With fewer, the limit was not tested. How fast streams open depends on the machine.
            { ...atLeast('  and as many as one address may have', STREAM_LIMITS.perAddress, open), timed: true },
          ]
        },
      },
      {
        name: 'idle connections',
        async run(over) {
          await dialling(CONNECTIONS.perAddress + 10 * crowd, over, socket => {
            socket.resume()
          })
          return []
        },
      },
      {
        name: 'WebSockets that say nothing',
        async run(over) {
          const most = await openSockets(url, STREAM_LIMITS.perAddress + 10 * crowd, over, socket => socket.pause())
          return [atMost('  WebSockets open at once', STREAM_LIMITS.perAddress, most)]
        },
      },
      {
        name: 'WebSockets that never stop talking',
        async run(over) {
          const subscribe = (id: number) =>
            JSON.stringify({ id: String(id), type: 'subscribe', payload: { query: STREAM, variables: { id: 'none' } } })
          await openSockets(url, 5 * crowd, over, socket => {
            socket.send(JSON.stringify({ type: 'connection_init' }))
            let said = 0
            const talk = setInterval(() => {
              if (socket.readyState !== WebSocket.OPEN) return clearInterval(talk)
              for (let turn = 0; turn < 50; turn++) socket.send(said++ % 5 ? '{"type":"ping"}' : subscribe(said))
            }, 10)
          })
          // No count of open ones here: this process learns of a closed one later than its place is free again.
          return []
        },
      },
      {
        name: 'slow readers',
        async run(over) {
          await dialling(5 * crowd, over, socket => {
            socket.pause().write(get('/').repeat(CONNECTIONS.pipelined))
          })
          return []
        },
      },
      {
        name: 'costly queries',
        async run(over) {
          let answered = 0
          await asking(over, async () => {
            // Each with another text, so that none gets the cached answer of another.
            const query = `${COSTLY} #${random()}`
            const { status } = await ask(`${url}/graphql`, {
              from: COSTLY_ONE,
              body: { query, variables: { n: COSTLY_FIRST } },
            })
            if (status === 200) answered++
          })
          // The number depends on the machine.
          return [{ ...atLeast('  of them answered', 1, answered), timed: true }]
        },
      },
      {
        name: 'pages nobody asked for before',
        async run(over) {
          await asking(over, () => ask(`${url}/search/${random()}`, { from: GREEDY }))
          return []
        },
      },
      {
        name: 'files that take long to read',
        async run(over) {
          const { pictures, table } = slowFiles()
          const files = [
            ...pictures.map(content => form(overGraphql([{ field: 'image', name: 'picture.png', content }]))),
            form(overGraphql([{ field: 'csv', name: 'products.csv', content: table }], IMPORT, 'csv')),
          ]
          let answered = 0
          await asking(over, async index => {
            const file = nth(files, index % files.length)
            const { status } = await ask(`${url}/graphql`, {
              ...file,
              headers: { ...file.headers, 'apollo-require-preflight': 'true' },
              from: GREEDY,
              token: nth(administrators, 0).token,
            })
            if (status === 200) answered++
          })
          return [{ ...atLeast('  of them answered', 1, answered), timed: true }]
        },
      },
      {
        name: 'held stock',
        async run(over) {
          await asking(over, async index => {
            const { token } = nth(buyers, index % buyers.length)
            await placeOrder(url, token, [line(pick(products, random), 20)], { from: GREEDY })
          })
          const [held] = await sql<{ units: number }>(
            'select coalesce(sum(? - count_in_stock), 0)::int as units from products where id in (select jsonb_array_elements_text(?::jsonb)::uuid)',
            [STOCK, JSON.stringify(products)],
          )
          return [atMost('  units held', HOLD_LIMITS.unitsPerAddress, present(held).units)]
        },
      },
    ]

    const {
      json: { extensions },
    } = await ask(`${url}/graphql`, {
      body: { query: COSTLY, variables: { n: COSTLY_FIRST } },
      headers: { [COST_HEADER]: '1' },
    })
    const figures: Figure[] = [atLeast('points of a costly query', COSTLY_POINTS, extensions?.cost?.requested ?? 0)]

    // Code takes longer when it runs for the first time.
    for (let turn = 0; turn < WARMING; turn++) await Promise.all(honest.map(request => request('127.0.2.1')))
    const alone = await beside(async over => {
      await aborted(over)
      return []
    })
    figures.push(atMost(`99% of ${alone.served} honest answers, alone`, GOAL_MS, alone.p99, ' ms'))
    for (const { name, run } of kinds) {
      const { p99, served, busy, failed, figures: own } = await beside(run)
      figures.push(
        atMost(`99% of ${served} beside ${name}`, GOAL_MS, p99, ' ms'),
        { ...atMost('  told to come back in a moment', 0, busy), timed: true },
        none('  other answers than 200', failed),
        ...own,
      )
      // Requests still waiting in line must not disturb the next kind.
      await pause(REDIAL_MS)
    }
    await end()
    return figures
  },
}

function dial(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect({ host: hostname, port: Number(port), localAddress: GREEDY }).on('error', () => {})
}

/** Keeps so many WebSockets open, and opens each again when it is closed. Returns the most that were open at once. */
async function openSockets(
  url: string,
  count: number,
  over: AbortSignal,
  begin: (socket: WebSocket) => void,
): Promise<number> {
  const ended = aborted(over)
  let [open, most] = [0, 0]
  await Promise.all(
    Array.from({ length: count }, async () => {
      while (!over.aborted) {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
          localAddress: GREEDY,
        }).on('error', () => {})
        const closed = new Promise(resolve => {
          socket.once('close', resolve)
        })
        socket.once('open', () => {
          most = Math.max(most, ++open)
          void closed.then(() => open--)
          begin(socket)
        })
        await Promise.race([closed, ended])
        socket.terminate()
        await pause(REDIAL_MS)
      }
    }),
  )
  return most
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Opens as many streams as each account may have, and one more. Returns how many opened. */
async function openStreams(url: string, accounts: readonly Shopper[], id: string, over: AbortSignal): Promise<number> {
  let open = 0
  const body = JSON.stringify({ query: STREAM, variables: { id } })
  const sockets = accounts.flatMap(({ token }) =>
    Array.from({ length: STREAM_LIMITS.perClient + 1 }, () => {
      const socket = dial(url)
      socket.once('data', (data: Buffer) => {
        if (data.toString('latin1').startsWith('HTTP/1.1 200')) open++
      })
      socket.write(
        `POST /graphql/stream HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      return socket
    }),
  )
  await aborted(over)
  for (const socket of sockets) socket.destroy()
  return open
}
