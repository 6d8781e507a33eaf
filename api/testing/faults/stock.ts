import { line, makeProducts, makeShoppers } from './goods.ts'
import { patiently, placeOrder } from './requests.ts'
import { atMost, exactly, none, percentile, turnedAway, type Scenario } from './scenario.ts'

const UNITS = 50

/** A crowd of buyers for fifty units, all at once, half of them by REST. */
export const stock: Scenario = {
  name: 'stock',
  full: { rounds: 100, crowd: 1_000 },
  short: { rounds: 1, crowd: 200 },
  async run({ url, sql }, { rounds, crowd }) {
    const buyers = await makeShoppers(sql, crowd)
    const [counted, surprises, waits] = [{ sold: 0, refused: 0, busy: 0, left: 0 }, [] as string[], [] as number[]]
    for (let round = 0; round < rounds; round++) {
      const [yarn] = await makeProducts(sql, [UNITS])
      await Promise.all(
        buyers.map(async ({ token }, index) => {
          const asked = performance.now()
          const {
            code,
            status,
            waits: busy,
          } = await patiently(() => placeOrder(url, token, [line(yarn!)], { rest: index % 2 === 0 }))
          counted.busy += busy
          waits.push(performance.now() - asked)
          if (code === 'ok') counted.sold++
          else if (code === 'OUT_OF_STOCK' && status === (index % 2 === 0 ? 409 : 200)) counted.refused++
          else surprises.push(`${status} ${code}`)
        }),
      )
      const [after] = await sql<{ left: number }>('select count_in_stock as left from products where id = ?', [yarn])
      counted.left += after!.left
    }
    return [
      exactly(`sold, ${UNITS} units a round`, UNITS * rounds, counted.sold),
      exactly('told that it is sold out (409)', (crowd - UNITS) * rounds, counted.refused),
      exactly('units left', 0, counted.left),
      turnedAway(counted.busy),
      none('other answers', surprises),
      atMost('slowest answer but 1%', 3_000, percentile(waits, 99), ' ms'),
    ]
  },
}
