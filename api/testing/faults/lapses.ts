import { setTimeout as pause } from 'node:timers/promises'
import { line, makeProducts, makeShoppers } from './goods.ts'
import { patiently, placeOrder } from './requests.ts'
import { exactly, type Scenario } from './scenario.ts'
import { nth, present } from '#schema/rules/present'

const SHOPS = 3
const PATIENCE_MS = 60_000

/** Holds that expire at the same moment while several shop processes run: the stock of each is given back once. */
export const lapses: Scenario = {
  name: 'lapses',
  full: { rounds: 3, crowd: 400 },
  short: { rounds: 1, crowd: 40 },
  async run({ url, sql, others }, { rounds, crowd }) {
    await others(SHOPS - 1)
    const buyers = await makeShoppers(sql, crowd)
    let [placed, given, left, stuck] = [0, 0, 0, 0]
    for (let round = 0; round < rounds; round++) {
      const shelf = await makeProducts(sql, [2 * crowd, 2 * crowd])
      const orders = await Promise.all(
        buyers.map(({ token }) =>
          patiently(() =>
            placeOrder(
              url,
              token,
              shelf.map(id => line(id, 2)),
            ),
          ),
        ),
      )
      placed += orders.filter(({ code }) => code === 'ok').length
      const ids = orders.map(({ data }) => data.id)
      await sql('update orders set held_until = now() where id in (?)', [ids])
      const held = async () =>
        nth(
          await sql<{ count: number }>(
            'select count(*)::int as count from orders where held_until is not null and id in (?)',
            [ids],
          ),
          0,
        ).count
      for (const begun = Date.now(); (await held()) > 0 && Date.now() - begun < PATIENCE_MS;) await pause(250)
      stuck += await held()
      const [counted] = await sql<{ given: number; left: number }>(
        `select (select count(*)::int from stock_movements where reason = 'released' and product_id in (?)) as given, sum(count_in_stock)::int as left from products where id in (?)`,
        [shelf, shelf],
      )
      given += present(counted).given
      left += present(counted).left
    }
    return [
      exactly('orders placed', crowd * rounds, placed),
      exactly('orders still held', 0, stuck),
      exactly(`lines given back, two an order, by ${SHOPS} processes`, 2 * crowd * rounds, given),
      exactly('units on the shelf again', 4 * crowd * rounds, left),
    ]
  },
}
