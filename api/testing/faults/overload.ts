import autocannon from 'autocannon'
import { overload as flood } from './overload-clients.ts'
import { makeProducts } from './goods.ts'
import { atMost, exactly, percentile, type Scenario } from './scenario.ts'

const TIMES = 5
const MEASURED_SECONDS = 5

/** Asks for five times as many pages as the shop can render, for as many seconds as there are rounds. */
export const overload: Scenario = {
  name: 'overload',
  full: { rounds: 60, crowd: TIMES },
  // Only the speed is measured here; who is turned away, and how, is tested in admission.test.ts.
  short: null,
  async run({ url, sql }, { rounds, crowd }) {
    await makeProducts(sql, Array<number>(24).fill(10))
    const rate = crowd * (await pagesASecond(url))
    const { served, turnedAway, failed, healthCheck, normalAfter } = await flood(url, rate, rounds)
    return [
      atMost(
        `slowest page but 1%, of ${served.length} made, at ${rate} a second asked for`,
        2_000,
        percentile(served, 99),
        ' ms',
      ),
      exactly(`answers other than a page or 503 (${turnedAway.length} of those)`, 0, failed),
      atMost('health check in the middle', 1_000, healthCheck, ' ms'),
      atMost('until a page takes as long as ever', 5, normalAfter / 1000, ' s'),
    ]
  },
}

/** How many pages the shop renders per second. Each has another address, so that none is cached. */
async function pagesASecond(url: string): Promise<number> {
  let turn = 0
  const fresh: autocannon.Request = {
    method: 'GET',
    path: '/',
    setupRequest: request => ({ ...request, path: `/?measured=${turn++}` }),
  }
  const { requests } = await autocannon({ url, connections: 16, duration: MEASURED_SECONDS, requests: [fresh] })
  return Math.round(requests.average)
}
