import { line, makeProducts, makeShoppers } from './goods.ts'
import { patiently, placeOrder } from './requests.ts'
import { exactly, none, type Scenario } from './scenario.ts'
import { present } from '#schema/rules/present'

/** One order, submitted many times at once by an impatient shopper: one order for each key, and the same answer every time. */
export const idempotency: Scenario = {
  name: 'idempotency',
  full: { rounds: 100, crowd: 200 },
  short: { rounds: 4, crowd: 100 },
  async run({ url, sql }, { rounds, crowd }) {
    const [yarn] = await makeProducts(sql, [2 * rounds])
    const buyers = await makeShoppers(sql, rounds)
    const [split, surprises, mismatches] = [[] as string[], [] as string[], { refused: 0 }]
    for (const [round, { token }] of buyers.entries()) {
      const key = `cart-${round}`
      const answers = await Promise.all(
        Array.from({ length: crowd }, (_, index) =>
          patiently(() => placeOrder(url, token, [line(present(yarn), 2)], { key, rest: index % 2 === 0 })),
        ),
      )
      surprises.push(...answers.filter(({ code }) => code !== 'ok').map(({ status, code }) => `${status} ${code}`))
      if (new Set(answers.map(({ data }) => data.id)).size !== 1) split.push(key)
      for (const rest of [true, false]) {
        const { code, status } = await patiently(() => placeOrder(url, token, [line(present(yarn), 1)], { key, rest }))
        if (code === 'IDEMPOTENCY_MISMATCH' && status === (rest ? 422 : 200)) mismatches.refused++
      }
    }
    const [counted] = await sql<{ orders: number; left: number }>(
      'select (select count(*)::int from order_items where product_id = p.id) as orders, count_in_stock as left from products p where id = ?',
      [yarn],
    )
    return [
      exactly(`orders of ${(crowd * rounds).toLocaleString('en-US')} submits`, rounds, present(counted).orders),
      exactly('units left', 0, present(counted).left),
      none('keys with two answers', split),
      none('other answers', surprises),
      exactly('same key, other contents: refused (422)', 2 * rounds, mismatches.refused),
    ]
  },
}
