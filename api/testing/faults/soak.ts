import { on } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { preloaded, type ShopProcess } from '../process.ts'
import { line, makeProducts, makeShoppers } from './goods.ts'
import { ask, placeOrder } from './requests.ts'
import { atMost, none, pick, type Scenario } from './scenario.ts'
import { lastOf, present } from '#schema/rules/present'

/** Requests per person and round. */
const REQUESTS = 200
/** Long enough for cached answers and pages to expire. */
const REST_MS = 2_000

/** Prints the memory still in use after a garbage collection, and what is open, whenever SIGUSR2 comes. */
const OBSERVED = preloaded(`
  import v8 from 'node:v8'
  import vm from 'node:vm'
  v8.setFlagsFromString('--expose-gc')
  const gc = vm.runInNewContext('gc')
  process.on('SIGUSR2', () => {
    // What the first one finalizes, the second one takes.
    gc()
    gc()
    const memory = process.memoryUsage()
    console.log('size', JSON.stringify({ megabytes: (memory.heapUsed + memory.external) / 1e6, open: process.getActiveResourcesInfo().length }))
  })
`)

/** Ordinary shopping for a long time: memory in use and open connections must not keep growing. */
export const soak: Scenario = {
  name: 'soak',
  full: { rounds: 8, crowd: 8 },
  // While a shop warms up it takes more memory than it could leak in a short time.
  short: null,
  async run({ sql, startShop }, { rounds, crowd, random }) {
    const shop = await startShop(OBSERVED)
    const products = await makeProducts(sql, Array<number>(24).fill(1_000_000))
    const shoppers = await makeShoppers(sql, crowd)
    const surprises: string[] = []
    async function one(token: string): Promise<void> {
      const product = pick(products, random)
      const [what, good, request] = pick<readonly [string, number, () => Promise<{ status: number }>]>(
        [
          ['a page', 200, () => ask(`${shop.url}/?visit=${random()}`)],
          ['a product', 200, () => ask(`${shop.url}/product/${product}/yarn-${product}?visit=${random()}`)],
          ['a list', 200, () => ask(`${shop.url}/api/products?keyword=yarn&pageNumber=${Math.ceil(random() * 3)}`)],
          [
            'a search',
            200,
            () =>
              ask(`${shop.url}/graphql`, {
                body: {
                  query:
                    'query ($keyword: String) { products(keyword: $keyword) { items { id name reviews { total } } } }',
                  variables: { keyword: `yarn ${random()}` },
                },
              }),
          ],
          ['an order', 201, () => placeOrder(shop.url, token, [line(product)], { rest: true })],
          ['orders', 200, () => ask(`${shop.url}/api/orders/my-orders`, { token })],
          [
            'nonsense',
            400,
            () => ask(`${shop.url}/graphql`, { body: { query: `{ nothing${Math.floor(random() * 1e9)} }` } }),
          ],
          ['nothing', 404, () => ask(`${shop.url}/api/orders/${product}`, { token })],
        ],
        random,
      )
      const { status } = await request()
      if (status !== good) surprises.push(`${what}: ${status}`)
    }
    const seen: Size[] = []
    for (let round = 0; round <= rounds; round++) {
      await Promise.all(
        shoppers.map(async ({ token }) => {
          for (let turn = 0; turn < REQUESTS; turn++) await one(token)
        }),
      )
      await pause(REST_MS)
      seen.push(await sizeOf(shop))
    }
    await shop.end()
    // The first half only warms the shop up.
    const half = Math.floor(rounds / 2)
    const [middle, end] = [present(seen[half]), lastOf(seen)]
    const more = ((rounds - half) * crowd * REQUESTS).toLocaleString('en-US')
    return [
      none('other answers', surprises),
      atMost('memory in use at the end', 200, end.megabytes, ' MB'),
      atMost(`more memory in use after another ${more} requests`, 5, end.megabytes - middle.megabytes, ' MB'),
      atMost(`more connections and timers open after another ${more}`, 5, end.open - middle.open),
    ]
  },
}

interface Size {
  megabytes: number
  open: number
}

/** Asks a shop for its size, and waits for that line among whatever else it prints. */
async function sizeOf({ child }: ShopProcess): Promise<Size> {
  child.kill('SIGUSR2')
  for await (const [said] of on(present(child.stdout), 'data')) {
    const size = /^size (.*)$/m.exec(said as string)?.[1]
    if (size) return JSON.parse(size) as Size
  }
  throw new Error('It ended')
}
