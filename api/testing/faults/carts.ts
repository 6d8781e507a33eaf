import { line, makeProducts, makeShoppers } from './goods.ts'
import { patiently, placeOrder } from './requests.ts'
import { exactly, none, shuffled, turnedAway, type Scenario } from './scenario.ts'
import { nth, present } from '#schema/rules/present'

/** Many buyers, each with three of six products in any order: orders that lock the same products must not deadlock. */
export const carts: Scenario = {
  name: 'carts',
  full: { rounds: 50, crowd: 1_000 },
  short: { rounds: 1, crowd: 150 },
  async run({ url, sql }, { rounds, crowd, random }) {
    const buyers = await makeShoppers(sql, crowd)
    const deadlocks = async () =>
      nth(
        await sql<{ deadlocks: number }>(
          'select deadlocks::int from pg_stat_database where datname = current_database()',
        ),
        0,
      ).deadlocks
    const before = await deadlocks()
    const surprises: string[] = []
    let [answered, units, moved, busy] = [0, 0, 0, 0]
    for (let round = 0; round < rounds; round++) {
      const shelf = await makeProducts(sql, Array<number>(6).fill(Math.floor(crowd / 3)))
      await Promise.all(
        buyers.map(async ({ token }, index) => {
          const cart = shuffled(shelf, random)
            .slice(0, 3)
            .map(id => line(id, 1 + Math.floor(random() * 2)))
          const { code, status, waits } = await patiently(() => placeOrder(url, token, cart, { rest: index % 2 === 0 }))
          busy += waits
          if (code === 'ok') units += cart.reduce((sum, { quantity }) => sum + quantity, 0)
          if (code === 'ok' || code === 'OUT_OF_STOCK') answered++
          else surprises.push(`${status} ${code}`)
        }),
      )
      const [taken] = await sql<{ units: number }>(
        `select -sum(delta)::int as units from stock_movements where reason = 'sold' and product_id in (?)`,
        [shelf],
      )
      moved += present(taken).units
    }
    await sql('select pg_stat_clear_snapshot()')
    return [
      exactly('ordered or told that it is sold out', crowd * rounds, answered),
      turnedAway(busy),
      none('other answers', surprises),
      exactly('units taken from the shelf, by the orders answered', units, moved),
      exactly('deadlocks counted by PostgreSQL', 0, (await deadlocks()) - before),
    ]
  },
}
