import {
  type APIRequestContext,
  type BrowserContext,
  expect,
  type Locator,
  type Page,
  test as base,
} from '@playwright/test'

import type { DataOf } from '../generated/answers.ts'
import { present } from '#schema/rules/present'

export { expect }

/** An account, as the API returned it when it was opened. */
export interface Account {
  id: string
  name: string
  email: string
  password: string
  isAdmin: boolean
  /** What a limited administrator may do. */
  permissions?: string[]
  token: string
}

export interface Product {
  id: string
  name: string
  image: string
  description: string
  weight: string
  length: string
  gauge: string
  knittingNeedle: string
  crochetHook: string
  recommendedCare: string
  content: string
  category: string
  /** cents */
  price: number
  countInStock: number
  rating: number
  numReviews: number
}

export interface Address {
  name: string
  address: string
  address2: string
  city: string
  state: string
  postalCode: string
  country: string
}

export const ADDRESS: Address = {
  name: 'Nell Knitter',
  address: '1 Purl Lane',
  address2: '',
  city: 'Woolwich',
  state: 'ME',
  postalCode: '04579',
  country: 'United States',
}

export const ADMIN = { email: 'admin@example.com', password: 'knit-purl-admin' }

/** The password of accounts that the tests open. */
export const PASSWORD = 'knit two together'

let made = 0
/** A word that nothing else in the shop contains: tests run at the same time. */
export const unique = () => `${Date.now().toString(36)}${process.pid.toString(36)}${(made++).toString(36)}`
export const freshEmail = () => `e2e-${unique()}@example.com`

/** A random IP address: one address may not register so many people. */
export const household = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join('.')}`

const ACCOUNT = 'user { id name email isAdmin } token userErrors { message }'
const PRODUCT =
  'id name image description weight length gauge knittingNeedle crochetHook recommendedCare content category price countInStock rating numReviews'

type Who = Pick<Account, 'token'> | null

/** The shop's API, asked directly: for what a test needs but does not test. */
export class Api {
  private readonly http: APIRequestContext

  constructor(http: APIRequestContext) {
    this.http = http
  }

  /** The answer as it came, with or without errors. */
  async send<const Document extends string>(
    query: Document,
    variables: object = {},
    who: Who = null,
    headers: Record<string, string> = who ? { authorization: `Bearer ${who.token}` } : {},
  ): Promise<{ data: DataOf<Document>; errors?: { message: string }[] }> {
    const answer = await this.http.post('/graphql', { data: { query, variables }, headers })
    return answer.json()
  }

  /** The data of an answer. Fails the test if it has errors, or one of its fields has `userErrors`. */
  async ask<const Document extends string>(
    query: Document,
    variables: object = {},
    who: Who = null,
    headers?: Record<string, string>,
  ): Promise<DataOf<Document>> {
    const { data, errors } = await this.send(query, variables, who, headers)
    expect(errors, query).toBeUndefined()
    for (const field of Object.values(data as Record<string, { userErrors?: unknown[] } | null>))
      expect(field?.userErrors ?? [], query).toEqual([])
    return data
  }

  async register(name = 'Nell Knitter'): Promise<Account> {
    const input = { name, email: freshEmail(), password: PASSWORD }
    const { register } = await this.ask(
      `mutation($input: RegisterInput!) { register(input: $input) { ${ACCOUNT} } }`,
      { input },
      null,
      { 'x-forwarded-for': household() },
    )
    return { ...register.user, token: register.token, password: PASSWORD }
  }

  async login({ email, password }: { email: string; password: string }): Promise<Account> {
    const { login } = await this.ask(
      `mutation($email: String!, $password: String!) { login(email: $email, password: $password) { ${ACCOUNT} } }`,
      { email, password },
    )
    return { ...login.user, token: login.token, password }
  }

  async product(id: string): Promise<Product> {
    return (await this.ask(`query($id: ID!) { product(id: $id) { ${PRODUCT} } }`, { id })).product
  }

  /** A product of the sample catalogue. */
  async find(name: string): Promise<Product> {
    const { products } = await this.ask(
      `query($keyword: String!) { products(keyword: $keyword) { items { ${PRODUCT} } } }`,
      { keyword: name },
    )
    const found = products.items.find(product => product.name === name)
    expect(found, name).toBeDefined()
    return present(found)
  }

  async list(
    query: 'products' | 'topRatedProducts' = 'products',
    variables: { keyword?: string; page?: number } = {},
  ): Promise<{ items: Product[]; page: number; pages: number; total: number }> {
    const { list } = await this.ask(
      `query($keyword: String, $page: Int) { list: ${query}(keyword: $keyword, page: $page) { page pages total items { ${PRODUCT} } } }`,
      variables,
    )
    return list
  }

  async review(
    product: Product,
    who: Account,
    input = { rating: 4, comment: 'Soft, round and kind to the needles.' },
  ): Promise<void> {
    await this.ask(
      'mutation($id: ID!, $input: ReviewInput!) { createReview(productId: $id, input: $input) { userErrors { message } } }',
      { id: product.id, input },
      who,
    )
  }

  async placeOrder(
    who: Account,
    lines: { product: Product; quantity: number; lots?: { code: string; quantity: number }[] }[],
    shippingAddress: Address = ADDRESS,
  ): Promise<{ id: string; reference: string; totalPrice: number }> {
    const input = {
      lines: lines.map(({ product, ...line }) => ({ productId: product.id, ...line })),
      shippingAddress,
    }
    const { placeOrder } = await this.ask(
      'mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id reference totalPrice } userErrors { message } } }',
      { input },
      who,
    )
    return placeOrder.order
  }

  /** Pays as the buttons do; the simulator's buyer approves. */
  async pay(who: Account, orderId: string): Promise<void> {
    const { createPaypalOrder } = await this.ask(
      'mutation($orderId: ID!) { createPaypalOrder(orderId: $orderId) { paypalOrderId userErrors { message } } }',
      { orderId },
      who,
    )
    const { paypalOrderId } = createPaypalOrder
    const approved = await this.http.post(`${await this.simulator()}/__buyer/approve`, {
      data: { token: paypalOrderId, fundingSource: 'paypal' },
    })
    expect(approved.status()).toBe(200)
    await this.ask(
      'mutation($orderId: ID!, $paypalOrderId: ID!) { capturePaypalOrder(orderId: $orderId, paypalOrderId: $paypalOrderId) { captureId userErrors { message } } }',
      { orderId, paypalOrderId },
      who,
    )
  }

  /** Where the PayPal simulator listens. */
  async simulator(): Promise<string> {
    const { paypalConfig } = await this.ask('{ paypalConfig { sdkBaseUrl } }')
    return new URL(paypalConfig.sdkBaseUrl).origin
  }

  /** The calls that the simulator received about one PayPal order. */
  async journal(paypalOrderId: string): Promise<{ path: string; effect: string | null }[]> {
    const entries = await (await this.http.get(`${await this.simulator()}/__sim/journal`)).json()
    return entries.filter((entry: { orderId: string | null }) => entry.orderId === paypalOrderId)
  }
}

/** Collects what a page should not report: console errors, warnings, thrown errors, failed requests, refused content. */
class Quiet {
  private readonly noise: string[] = []
  private readonly expected: RegExp[] = [/Service Worker registration blocked by Playwright/]

  /** Noise that the test itself causes, for example by breaking a request. */
  expects(...patterns: RegExp[]) {
    this.expected.push(...patterns)
  }

  watch(context: BrowserContext) {
    context.on('console', message => {
      if (['error', 'warning'].includes(message.type()))
        this.noise.push(`console: ${message.text()} (${message.location().url})`)
    })
    context.on('weberror', error => this.noise.push(`thrown: ${error.error().stack ?? error.error().message}`))
    context.on('requestfailed', request => {
      const reason = request.failure()?.errorText ?? ''
      // The browser gave it up because the page was left.
      if (reason !== 'net::ERR_ABORTED') this.noise.push(`request: ${reason} ${request.method()} ${request.url()}`)
    })
  }

  unexpected(): string[] {
    return this.noise.filter(line => !this.expected.some(pattern => pattern.test(line)))
  }
}

interface Fixtures {
  api: Api
  /** Fails the test when a page made noise nobody expected. */
  quiet: Quiet
  /** A new account, signed in on `page`. */
  shopper: Account
  /** A new product at the given price and stock, taken off sale after the test. */
  makeProduct: (facts?: Partial<Product> & { lots?: { code: string; quantity: number }[] }) => Promise<Product>
  /** Changes a product as the owner would. */
  changeProduct: (
    product: Product,
    change: { name?: string; price?: number; countInStock?: number; sale?: { price: number | null } },
  ) => Promise<void>
  archiveProduct: (product: Product) => Promise<void>
}

interface WorkerFixtures {
  /** The demo administrator, signed in to the API. */
  admin: Account
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  admin: [
    async ({ playwright }, use, workerInfo) => {
      const http = await playwright.request.newContext({ baseURL: workerInfo.project.use.baseURL })
      await use(await new Api(http).login(ADMIN))
      await http.dispose()
    },
    { scope: 'worker' },
  ],

  // Otherwise all tests would count as one household, which the shop serves a few requests at a time.
  // oxlint-disable-next-line no-empty-pattern
  extraHTTPHeaders: async ({}, use) => use({ 'x-forwarded-for': household() }),

  api: async ({ request }, use) => use(new Api(request)),

  quiet: [
    async ({ context }, use) => {
      const quiet = new Quiet()
      quiet.watch(context)
      await use(quiet)
      expect(quiet.unexpected(), 'what the page should not have said').toEqual([])
    },
    { auto: true },
  ],

  shopper: async ({ api, page }, use) => {
    const account = await api.register()
    await signIn(page, account)
    await use(account)
  },

  makeProduct: async ({ api, admin }, use) => {
    const products: Product[] = []
    await use(async facts => {
      const { createProduct } = await api.ask(
        'mutation { createProduct { product { id } userErrors { message } } }',
        {},
        admin,
      )
      const input = {
        name: `Test Skein ${unique()}`,
        image: '/images/tarnbeck-moss.webp',
        description: 'Spun for one test and put away after it.',
        weight: '100 g',
        length: '200 m (219 yd)',
        gauge: '22 sts × 30 rows = 10 cm',
        knittingNeedle: '4.0 mm (US 6)',
        crochetHook: '4.0 mm (G-6)',
        recommendedCare: 'Hand wash cool.',
        content: '100% wool',
        category: 'DK',
        price: 1000,
        countInStock: 30,
        ...facts,
      }
      const { updateProduct } = await api.ask(
        `mutation($id: ID!, $input: ProductInput!) { updateProduct(id: $id, input: $input) { product { ${PRODUCT} } userErrors { message } } }`,
        { id: createProduct.product.id, input },
        admin,
      )
      products.push(updateProduct.product)
      return updateProduct.product
    })
    for (const { id } of products)
      await api.send('mutation($id: ID!) { deleteProduct(id: $id) { userErrors { message } } }', { id }, admin)
  },

  changeProduct: async ({ api, admin }, use) =>
    use(async ({ id }, input) => {
      await api.ask(
        'mutation($id: ID!, $input: ProductPatch!) { patchProduct(id: $id, input: $input) { userErrors { message } } }',
        { id, input },
        admin,
      )
    }),

  archiveProduct: async ({ api, admin }, use) =>
    use(async ({ id }) => {
      await api.ask('mutation($id: ID!) { deleteProduct(id: $id) { userErrors { message } } }', { id }, admin)
    }),
})

/** A new administrator, whose own lists are shared with no other test. */
export async function promoted(api: Api, admin: Account): Promise<Account> {
  const account = await api.register(`Owner ${unique()}`)
  await setRole(api, admin, account, true)
  return { ...account, isAdmin: true }
}

export async function setRole(api: Api, admin: Account, { id, name, email }: Account, isAdmin: boolean) {
  await api.ask(
    'mutation($id: ID!, $input: UserInput!) { updateUser(id: $id, input: $input) { userErrors { message } } }',
    { id, input: { name, email, isAdmin } },
    admin,
  )
}

/** Opens a page and waits until it is alive. */
export async function open(page: Page, path: string) {
  const response = await page.goto(path)
  await alive(page)
  return response
}

/**
 * Opens a page and waits for the answers to the requests that it sends by itself. Otherwise a test that then changes a
 * price or ends a session could change those answers too.
 */
export async function openWhole(page: Page, path: string, ...operations: string[]) {
  const answers = operations.map(operation => answered(page, operation))
  await open(page, path)
  await Promise.all(answers)
}

/**
 * Waits until the page is alive. The notifications region comes first; other parts of the page come alive after it. A
 * person presses a field before choosing or typing, which makes its part alive at once. A test does not, and what it
 * puts into a field too early is lost.
 */
export async function alive(page: Page) {
  await expect(page.getByRole('region', { name: 'Notifications' })).toBeAttached({ timeout: 60_000 })
  await expect(async () => {
    const waiting = await page.evaluate(() =>
      [...document.querySelectorAll('main :is(select, input, textarea)')]
        .filter(field => !Object.keys(field).some(key => key.startsWith('__reactProps$')))
        .map(field => field.outerHTML),
    )
    expect(waiting).toEqual([])
  }).toPass({ timeout: 60_000 })
}

/** Signs in without the form, by storing what the shop remembers. */
export async function signIn(page: Page, { id, name, email, isAdmin, permissions, token }: Account) {
  await store(page, 'userInfo', { _id: id, name, email, isAdmin, permissions, token })
}

/** Stores a cart and an address as an earlier visit would have left them. */
export async function fillCart(page: Page, lines: { product: Product; quantity: number }[], shippingAddress?: Address) {
  await store(page, 'cart', {
    cartItems: lines.map(({ product, quantity }) => cartItem(product, quantity)),
    shippingAddress,
    paymentMethod: 'PayPal',
  })
}

function cartItem({ id, price, knittingNeedle, crochetHook, recommendedCare, ...same }: Product, quantity: number) {
  return {
    _id: id,
    ...same,
    knitting_needle: knittingNeedle,
    crochet_hook: crochetHook,
    recommended_care: recommendedCare,
    price: price / 100,
    quantity,
  }
}

/** Puts a value as JSON, or a text as it is, into the shop's browser storage. */
export async function store(page: Page, key: string, value: unknown) {
  // This address of the shop runs no script: an open page would overwrite the value.
  if (!page.url().endsWith('/robots.txt')) await page.goto('/robots.txt')
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ] as const)
}

/** What the browser keeps under a key. */
export async function stored<Value = unknown>(page: Page, key: string): Promise<Value> {
  return JSON.parse((await page.evaluate(key => localStorage.getItem(key), key)) ?? 'null')
}

/** Reloads the mailbox until a letter is there: it is written after the request that causes it was answered. */
export async function arrived(page: Page, letter: Locator) {
  await expect(async () => {
    await page.goto('/dev/mailbox')
    await expect(letter).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 60_000 })
}

/** Waits for the answer to an operation that a page sends by itself. Call it before what makes the page send it. */
export const answered = (page: Page, operation: string) =>
  page.waitForResponse(response => response.request().postData()?.includes(`"operationName":"${operation}"`) ?? false)

export const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })

/** Text as it stands in HTML. */
export const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;')

const begun = new Date()

/** Today, for a pattern. Either day when it has passed midnight since the tests began. */
export const day = (written: Intl.DateTimeFormatOptions) =>
  `(?:${[...new Set([begun, new Date()].map(at => at.toLocaleDateString('en-US', written)))].join('|')})`

export const dollars = (cents: number) => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

/** Breaks every request to the API until the returned function is called. */
export async function breakApi(page: Page): Promise<() => Promise<void>> {
  await page.route('**/graphql', route => route.abort('connectionrefused'))
  return () => page.unroute('**/graphql')
}

/** What the browser says about requests a test breaks. */
export const BROKEN_REQUEST = /ERR_CONNECTION_REFUSED|ERR_FAILED/

/** Answers one GraphQL operation with what the test gives. */
export async function answer(page: Page, operation: string, body: { status?: number; json?: object; text?: string }) {
  await page.route('**/graphql', async route => {
    const sent = route.request().postDataJSON() as { operationName?: string } | null
    if (sent?.operationName !== operation) return route.fallback()
    await route.fulfill({
      status: body.status ?? 200,
      ...(body.json ? { json: body.json } : { contentType: 'text/html', body: body.text ?? '' }),
    })
  })
}

/** Presses a PayPal button and returns the window that it opens. */
export async function openPayment(page: Page, button: 'PayPal' | 'Debit or Credit Card'): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: button }).click()
  return opened
}
