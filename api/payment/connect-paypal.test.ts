import { createServer } from 'node:http'
import { createServer as listenTo, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectPaypal } from './connect-paypal.ts'
import { PaypalRefused, PaypalUnavailable, type Paypal } from './paypal.ts'
import { startSimulator, type JournalEntry, type Simulator } from '../../tools/paypal-simulator/simulator.ts'

const account = { clientId: 'test-client', clientSecret: 'test-secret' }
const ORDER = '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'

let simulator: Simulator
let paypal: Paypal

beforeAll(async () => {
  simulator = await startSimulator({ port: 0, ...account })
})
afterAll(() => simulator.close())
beforeEach(() => {
  simulator.reset()
  paypal = connect()
})

const connect = (timeoutMs = 2_000) => connectPaypal({ baseUrl: simulator.url, ...account }, { timeoutMs })

let made = 0
function createOrder(amount = 2345, orderId = ORDER) {
  return paypal.createOrder({
    orderId,
    reference: '#10042',
    amount,
    requestId: `create:${orderId}:${amount}:${++made}`,
  })
}

async function createApproved(amount = 2345, orderId = ORDER): Promise<string> {
  const { id } = await createOrder(amount, orderId)
  await buyer('approve', id)
  return id
}

async function buyer(act: 'approve' | 'decline' | 'cancel', token: string, fundingSource = 'paypal'): Promise<void> {
  expect((await post(`/__buyer/${act}`, { token, fundingSource })).ok).toBe(true)
}

async function plan(scenario: object): Promise<void> {
  expect((await post('/__sim/scenario', scenario)).status).toBe(204)
}

function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(simulator.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

const calls = (ending: string) => simulator.journal().filter(({ path }) => path.endsWith(ending))
const effects = (effect: JournalEntry['effect']) => simulator.journal().filter(entry => entry.effect === effect).length

async function refused(work: Promise<unknown>): Promise<PaypalRefused> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(PaypalRefused)
  return error as PaypalRefused
}

describe('the account that is paid', () => {
  const payeeFor = async (merchantId: string) =>
    (await connectPaypal({ baseUrl: simulator.url, ...account, merchantId }).getOrder((await createOrder()).id))
      ?.otherPayee

  test('is told when it is not the shop’s, and the shop says which one is', async () => {
    expect((await createOrder()).otherPayee).toBeNull()
    expect(await payeeFor('TESTMERCHANT2')).toBeNull()
    expect(await payeeFor('ANQTHERSHQP23')).toBe('TESTMERCHANT2')
  })
})

describe('a payment', () => {
  test('is created, approved and captured', async () => {
    const created = await createOrder()
    expect(created).toMatchObject({ status: 'CREATED', orderId: ORDER, otherPayee: null, capture: null })
    expect(await paypal.getOrder(created.id)).toEqual(created)

    await buyer('approve', created.id)
    expect(await paypal.getOrder(created.id)).toMatchObject({ status: 'APPROVED', capture: null })

    const captured = await paypal.captureOrder(created.id, 'capture:1')
    expect(captured).toEqual({
      id: created.id,
      status: 'COMPLETED',
      currency: 'USD',
      amount: 2345,
      orderId: ORDER,
      otherPayee: null,
      paysUs: false,
      updatedAt: expect.any(Date),
      refunds: [],
      capture: {
        id: expect.stringMatching(/^[A-Z0-9]{17}$/),
        status: 'COMPLETED',
        currency: 'USD',
        amount: 2345,
        orderId: ORDER,
      },
    })
    expect(await paypal.getOrder(created.id)).toEqual(captured)
  })

  test.each([1, 1050, 9_999_999])('of %i cents is captured exactly', async amount => {
    const id = await createApproved(amount)
    expect((await paypal.captureOrder(id, 'capture:1')).capture?.amount).toBe(amount)
  })

  test.each([0, -5, 10.5, Number.NaN])('of %d cents is never asked for', async amount => {
    await expect(createOrder(amount)).rejects.toThrow(RangeError)
    expect(simulator.journal()).toEqual([])
  })

  test('asked for twice with one request id is one payment', async () => {
    const input = { orderId: ORDER, reference: '#10042', amount: 2345, requestId: 'create:same' }
    const first = await paypal.createOrder(input)
    expect(await paypal.createOrder(input)).toEqual(first)
    expect(effects('created')).toBe(1)
  })

  test('is not captured before the buyer approves', async () => {
    const { id } = await createOrder()
    expect(await refused(paypal.captureOrder(id, 'capture:1'))).toMatchObject({
      issue: 'ORDER_NOT_APPROVED',
      status: 422,
    })
  })

  test('that the bank declines can be approved again and then captured', async () => {
    const { id } = await createOrder()
    await buyer('decline', id, 'card')
    const no = await refused(paypal.captureOrder(id, 'capture:1'))
    expect(no).toMatchObject({
      issue: 'INSTRUMENT_DECLINED',
      status: 422,
      debugId: expect.stringMatching(/^[0-9a-f]+$/),
    })
    expect(await paypal.getOrder(id)).toMatchObject({ status: 'CREATED', capture: null })

    await buyer('approve', id, 'card')
    // The bank's refusal belongs to the request id it was given for.
    expect((await refused(paypal.captureOrder(id, 'capture:1'))).issue).toBe('INSTRUMENT_DECLINED')
    expect((await paypal.captureOrder(id, 'capture:2')).capture?.status).toBe('COMPLETED')
    expect(effects('captured')).toBe(1)
  })

  test('that is captured already is a success, not an error', async () => {
    const id = await createApproved()
    const first = await paypal.captureOrder(id, 'capture:1')
    expect(await paypal.captureOrder(id, 'capture:2')).toEqual(first)
    expect(effects('captured')).toBe(1)
  })

  test('captured twice at once moves money once', async () => {
    const id = await createApproved()
    const [one, other] = await Promise.all([paypal.captureOrder(id, 'capture:1'), paypal.captureOrder(id, 'capture:2')])
    expect(one).toEqual(other)
    expect(effects('captured')).toBe(1)
  })

  test('for an order that is paid already is refused', async () => {
    await paypal.captureOrder(await createApproved(), 'capture:1')
    const second = await createApproved()
    expect((await refused(paypal.captureOrder(second, 'capture:2'))).issue).toBe('DUPLICATE_INVOICE_ID')
  })

  test('may stay pending', async () => {
    const id = await createApproved()
    await plan({ capture: 'PENDING' })
    expect(await paypal.captureOrder(id, 'capture:1')).toMatchObject({
      status: 'COMPLETED',
      capture: { status: 'PENDING' },
    })
  })

  test.each([
    ['wrong-amount', { amount: 2445 }],
    ['wrong-currency', { currency: 'EUR' }],
    ['unreadable-amount', { amount: null }],
    ['foreign-custom-id', { orderId: expect.stringMatching(/^foreign-/) }],
    ['DECLINED', { status: 'DECLINED' }],
  ])('is reported as PayPal made it: %s', async (scenario, capture) => {
    const id = await createApproved()
    await plan({ capture: scenario })
    expect((await paypal.captureOrder(id, 'capture:1')).capture).toMatchObject(capture)
    expect((await paypal.getOrder(id))?.capture).toMatchObject(capture)
  })
})

describe('trouble on the way', () => {
  test('an order that PayPal does not show is no word about its payment', async () => {
    const id = await createApproved()
    await plan({ capture: Array(3).fill('500'), get: ['in-progress'] })
    await expect(paypal.captureOrder(id, 'capture:1')).rejects.toThrow(PaypalUnavailable)
    expect(effects('captured')).toBe(0)
  })

  test.each(['timeout-after-capture', 'disconnect-after-capture', '500-after-capture', 'no-id'])(
    'money that moved is found although the answer is lost: %s',
    async scenario => {
      const id = await createApproved()
      await plan({ capture: scenario })
      paypal = connect(300)
      expect(await paypal.captureOrder(id, 'capture:1')).toMatchObject({
        status: 'COMPLETED',
        capture: { amount: 2345 },
      })
      expect(effects('captured')).toBe(1)
    },
  )

  test('a timeout before the money moved is followed by the same request', async () => {
    const id = await createApproved()
    await plan({ capture: 'timeout' })
    paypal = connect(300)
    expect((await paypal.captureOrder(id, 'capture:1')).status).toBe('COMPLETED')
    expect(calls('/capture').map(({ requestId, status }) => [requestId, status])).toEqual([
      ['capture:1', null],
      ['capture:1', 201],
    ])
  })

  test.each(['500', '429', 'disconnect'])('%s once: one capture, one request id', async scenario => {
    const id = await createApproved()
    await plan({ capture: scenario })
    expect((await paypal.captureOrder(id, 'capture:1')).status).toBe('COMPLETED')
    expect(calls('/capture').map(({ requestId }) => requestId)).toEqual(['capture:1', 'capture:1'])
    expect(effects('captured')).toBe(1)
  })

  test('a creation is tried again, and is one order', async () => {
    await plan({ create: ['500', '500'] })
    expect((await createOrder()).status).toBe('CREATED')
    expect(new Set(calls('/orders').map(({ requestId }) => requestId)).size).toBe(1)
    expect(effects('created')).toBe(1)
  })

  test('there is an end to trying', async () => {
    await plan({ create: ['500', '500', '500'] })
    await expect(createOrder()).rejects.toThrow(PaypalUnavailable)
    expect(calls('/orders')).toHaveLength(3)
  })

  test('nonsense is no answer', async () => {
    await plan({ create: 'nonsense', get: 'nonsense' })
    await expect(createOrder()).rejects.toThrow(PaypalUnavailable)
    await expect(paypal.getOrder('5O190127TN364715T')).rejects.toThrow(PaypalUnavailable)
  })

  test('a server that is not there is unavailable', async () => {
    const closed = await startSimulator({ port: 0, ...account })
    await closed.close()
    const lost = connectPaypal({ baseUrl: closed.url, ...account })
    await expect(lost.getOrder('5O190127TN364715T')).rejects.toThrow(PaypalUnavailable)
  })

  test('a redirect is not followed, so no credentials go elsewhere', async () => {
    let reached = 0
    const elsewhere = createServer((request, response) => {
      if (request.url === '/trap') reached++
      response.writeHead(307, { location: '/trap' }).end()
    })
    await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve))
    const { port } = elsewhere.address() as AddressInfo
    const misled = connectPaypal({ baseUrl: `http://127.0.0.1:${port}`, ...account })
    await expect(misled.getOrder('5O190127TN364715T')).rejects.toThrow(PaypalUnavailable)
    expect(reached).toBe(0)
    elsewhere.closeAllConnections()
    elsewhere.close()
  })

  test('a connection that does not come about is waited for no longer than an answer', async () => {
    const sockets = new Set<Socket>()
    const silent = listenTo(socket => sockets.add(socket))
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const waiting = connectPaypal({ baseUrl: `https://127.0.0.1:${port}`, ...account }, { timeoutMs: 200 })
    await expect(waiting.getOrder('5O190127TN364715T')).rejects.toThrow('PayPal took too long')
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
})

describe('the access token', () => {
  test('is fetched once, however many calls wait for it', async () => {
    await Promise.all([createOrder(100, 'a'), createOrder(200, 'b'), createOrder(300, 'c')])
    await createOrder(400, 'd')
    expect(calls('/token')).toHaveLength(1)
  })

  test('is fetched again when PayPal no longer takes it', async () => {
    const { id } = await createOrder()
    await plan({ get: '401' })
    expect((await paypal.getOrder(id))?.id).toBe(id)
    expect(calls('/token')).toHaveLength(2)
  })

  test('is refreshed only once per call', async () => {
    await plan({ get: ['401', '401', '401'] })
    await expect(paypal.getOrder('5O190127TN364715T')).rejects.toThrow(PaypalUnavailable)
    expect(calls('/5O190127TN364715T')).toHaveLength(2)
  })

  test('is not given for wrong credentials', async () => {
    const wrong = connectPaypal({ baseUrl: simulator.url, clientId: account.clientId, clientSecret: 'wrong' })
    await expect(wrong.getOrder('5O190127TN364715T')).rejects.toThrow(PaypalUnavailable)
    expect(calls('/token').map(({ status }) => status)).toEqual([401])
  })

  test('is never logged, nor is the secret', async () => {
    const lines: unknown[] = []
    const log = { warn: (...line: unknown[]) => void lines.push(line) }
    const logging = connectPaypal({ baseUrl: simulator.url, ...account }, { log })
    await plan({ get: ['500', '401'] })
    await logging.getOrder('5O190127TN364715T')
    expect(lines.length).toBeGreaterThan(0)
    expect(JSON.stringify(lines)).not.toMatch(/A21AA|Bearer|Basic|test-secret/)
  })
})

describe('ids', () => {
  test('PayPal does not know are null to read, a refusal to capture', async () => {
    expect(await paypal.getOrder('5O190127TN364715T')).toBeNull()
    expect(await refused(paypal.captureOrder('5O190127TN364715T', 'capture:1'))).toMatchObject({ status: 404 })
  })

  test.each([
    '',
    '../../v1/oauth2/token',
    'ABCDE/capture',
    'abcdefgh',
    'ABCDE?x=1',
    'ABCDEF\n',
    '%2e%2e%2f',
    'A'.repeat(37),
  ])('that cannot be PayPal’s never reach a URL: %j', async id => {
    expect(await paypal.getOrder(id)).toBeNull()
    expect((await refused(paypal.captureOrder(id, 'capture:1'))).issue).toBe('INVALID_RESOURCE_ID')
    expect(simulator.journal()).toEqual([])
  })
})

describe('the simulator', () => {
  test('says no on a port in use, in the system’s own words', async () => {
    const port = Number(new URL(simulator.url).port)
    await expect(startSimulator({ port, ...account })).rejects.toMatchObject({ code: 'EADDRINUSE', port })
  })

  test('wants a token, and answers PayPal’s errors', async () => {
    expect((await post('/v2/checkout/orders', {})).status).toBe(401)
    const bearer = await accessToken()
    const order = (value: string, currency_code = 'USD') =>
      post('/v2/checkout/orders', { intent: 'CAPTURE', purchase_units: [{ amount: { currency_code, value } }] }, bearer)
    const issue = async (response: Response) => {
      const { details } = (await response.json()) as { details: { issue: string }[] }
      return [response.status, details[0]?.issue]
    }
    expect(await issue(await post('/v2/checkout/orders', {}, bearer))).toEqual([400, 'MISSING_REQUIRED_PARAMETER'])
    expect(await issue(await order('1.005'))).toEqual([422, 'DECIMAL_PRECISION'])
    expect(await issue(await order('0.00'))).toEqual([422, 'CANNOT_BE_ZERO_OR_NEGATIVE'])
    expect(await issue(await order('1.00', 'ZZZ'))).toEqual([422, 'INVALID_CURRENCY_CODE'])
    expect((await order('1.00')).status).toBe(201)
  })

  test('refuses on request through PayPal’s own mock header', async () => {
    const id = await createApproved()
    const mock = { 'paypal-mock-response': '{"mock_application_codes":"INSTRUMENT_DECLINED"}' }
    const answer = await post(`/v2/checkout/orders/${id}/capture`, {}, { ...(await accessToken()), ...mock })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({
      name: 'UNPROCESSABLE_ENTITY',
      details: [{ issue: 'INSTRUMENT_DECLINED' }],
    })
  })

  test('refunds a capture up to its amount', async () => {
    const id = await createApproved()
    const { capture } = await paypal.captureOrder(id, 'capture:1')
    const bearer = await accessToken()
    const refund = async (value?: string) => {
      const amount = value ? { amount: { currency_code: 'USD', value } } : {}
      return (await post(`/v2/payments/captures/${capture?.id}/refund`, amount, bearer)).status
    }
    expect([await refund('20.00'), await refund('20.00'), await refund(), await refund()]).toEqual([201, 422, 201, 422])
    expect((await paypal.getOrder(id))?.capture?.status).toBe('REFUNDED')
  })

  test('forgets what it knew, as after a restart', async () => {
    const { id } = await createOrder()
    simulator.reset()
    expect(await paypal.getOrder(id)).toBeNull()
  })

  test('shows the buyer what to pay, and lets only the shop frame it', async () => {
    const { id } = await createOrder()
    const page = await fetch(`${simulator.url}/checkoutnow?token=${id}&fundingSource=card&origin=http://localhost:4000`)
    expect(page.headers.get('content-security-policy')).toContain('frame-ancestors http://localhost:4000')
    const html = await page.text()
    expect(html).toContain('$23.45')
    expect(html).toContain('TEST MODE')
    const hostile = encodeURIComponent("http://x 'unsafe-inline'; script-src *")
    const other = await fetch(`${simulator.url}/checkoutnow?token=${id}&origin=${hostile}`)
    expect(other.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('escapes what the shop calls the order', async () => {
    const { id } = await paypal.createOrder({
      orderId: ORDER,
      reference: '<img src=x>',
      amount: 100,
      requestId: 'create:html',
    })
    expect(await (await fetch(`${simulator.url}/checkoutnow?token=${id}`)).text()).not.toContain('<img')
  })

  test('takes no orders from other pages in the browser', async () => {
    const { id } = await createOrder()
    const headers = { origin: 'https://evil.example' }
    expect((await post('/__buyer/approve', { token: id }, headers)).status).toBe(403)
    expect((await post('/__sim/reset', {}, headers)).status).toBe(403)
  })

  test('knows its scenarios', async () => {
    expect((await post('/__sim/scenario', { capture: 'explode' })).status).toBe(400)
  })

  test('serves the script for its client id only', async () => {
    const script = (query: string) => fetch(`${simulator.url}/sdk/js?${query}`)
    const right = await script('client-id=test-client&currency=USD')
    expect(right.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(await right.text()).toContain('Buttons')
    expect((await script('client-id=other')).status).toBe(400)
    expect((await script('')).status).toBe(400)
  })
})

async function accessToken(): Promise<{ authorization: string }> {
  const answer = await fetch(`${simulator.url}/v1/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${account.clientId}:${account.clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  return { authorization: `Bearer ${access_token}` }
}
