// Asks for a page that nobody asked for before, so many times a second whatever the answers, and prints the results as JSON.
// A process of its own, so that counting does not slow down what is counted. Arguments: address, rate, seconds.
import autocannon from 'autocannon'
import type { Flood } from './overload-clients.ts'

const [, , url = '', rate = '', seconds = ''] = process.argv
const flood: Flood = { served: [], turnedAway: [], failed: 0 }
let turn = 0
const options: autocannon.Options = {
  url,
  overallRate: Number(rate),
  duration: Number(seconds),
  connections: 300,
  timeout: 10,
  requests: [
    { method: 'GET', path: '/', setupRequest: request => ({ ...request, path: `/?fresh=${process.pid}-${turn++}` }) },
  ],
}
autocannon(options, () => console.log(JSON.stringify(flood)))
  .on('response', (_client, status, _bytes, milliseconds) => {
    if (status === 503) flood.turnedAway.push(milliseconds)
    else if (status < 300) flood.served.push(milliseconds)
    else flood.failed++
  })
  .on('reqError', () => {
    flood.failed++
  })
