import { line, makeProductInLots, makeProducts, makeShoppers } from './goods.ts'
import { patiently, placeOrder } from './requests.ts'
import { atMost, exactly, none, percentile, turnedAway, type Scenario } from './scenario.ts'
import { present } from '#schema/rules/present'

const UNITS = 50
/** The same number of units, in dye lots. */
const LOTS = { 4412: 20, 4417: 15, 4420: 10, 4421: 5 }

/** Many buyers for fifty units, all at once, half of them over REST; every other round with a yarn kept by dye lot. */
export const stock: Scenario = {
  name: 'stock',
  full: { rounds: 100, crowd: 1_000 },
  short: { rounds: 2, crowd: 200 },
  async run({ url, sql }, { rounds, crowd }) {
    const buyers = await makeShoppers(sql, crowd)
    const counted = { sold: 0, refused: 0, busy: 0, left: 0, lots: 0 }
    const [surprises, waits, wrongLots] = [[] as string[], [] as number[], [] as string[]]
    for (let round = 0; round < rounds; round++) {
      const inLots = round % 2 === 1
      const [yarn] = inLots ? [await makeProductInLots(sql, LOTS)] : await makeProducts(sql, [UNITS])
      await Promise.all(
        buyers.map(async ({ token }, index) => {
          const asked = performance.now()
          const {
            code,
            status,
            waits: busy,
          } = await patiently(() => placeOrder(url, token, [line(present(yarn))], { rest: index % 2 === 0 }))
          counted.busy += busy
          waits.push(performance.now() - asked)
          if (code === 'ok') counted.sold++
          else if (code === 'OUT_OF_STOCK' && status === (index % 2 === 0 ? 409 : 200)) counted.refused++
          else surprises.push(`${status} ${code}`)
        }),
      )
      const [after] = await sql<{ left: number }>('select count_in_stock as left from products where id = ?', [yarn])
      counted.left += present(after).left
      if (inLots) {
        const lots = await sql<{ code: string; left: number; sold: number }>(SOLD_OF_LOTS, [yarn])
        counted.lots += lots.reduce((sum, { sold }) => sum + sold, 0)
        wrongLots.push(
          ...Object.entries(LOTS)
            .map(([code, units]) => ({ units, ...lots.find(lot => lot.code === code) }))
            .filter(({ units, left, sold }) => left !== 0 || sold !== units)
            .map(lot => JSON.stringify(lot)),
        )
      }
    }
    return [
      exactly(`sold, ${UNITS} units a round`, UNITS * rounds, counted.sold),
      exactly('told that it is sold out (409)', (crowd - UNITS) * rounds, counted.refused),
      exactly('units left', 0, counted.left),
      exactly('of those of dye lots, told on orders', UNITS * Math.floor(rounds / 2), counted.lots),
      none('lots sold otherwise than as often as they had units', wrongLots),
      turnedAway(counted.busy),
      none('other answers', surprises),
      atMost('slowest answer but 1%', 3_000, percentile(waits, 99), ' ms'),
    ]
  },
}

/** What is left of each dye lot of a product, and how much its orders say was sold from it. */
const SOLD_OF_LOTS = `
  select l.code, l.quantity as left, coalesce(sum((portion ->> 'quantity')::int), 0)::int as sold
  from product_lots l
  left join order_items i on i.product_id = l.product_id
  left join lateral jsonb_array_elements(i.lots) portion on portion ->> 'code' = l.code
  where l.product_id = ? group by l.code, l.quantity`
