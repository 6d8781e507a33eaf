import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paths } from '../paths.ts'
import { alive, Api, dollars, escaped, expect, fillCart, open, signIn, test, unique } from './fixtures.ts'
import { nth, present } from '#schema/rules/present'

test.describe.configure({ mode: 'parallel' })

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test.describe('view source', () => {
  test('of the home page holds the messages, the products and their prices', async ({ request, baseURL }) => {
    const html = await (await request.get('/')).text()
    expect(html).toMatch(/<title[^>]*>Yarn and knitting supplies – Skein<\/title>/)
    expect(html).toContain(`<link rel="canonical" href="${baseURL}/"`)
    expect(html).toMatch(/<meta name="description" content="[^"]{50,}"/)
    for (const message of [
      '15% off your first armful',
      'Free shipping on orders of $100 and over',
      'The yarns our knitters rate best',
    ])
      expect(html).toContain(message)
    expect(html.match(/<article/g)).toHaveLength(12)
    expect(html.match(/<article.*?\$\d+\.\d\d.*?<\/article>/gs)).toHaveLength(12)
  })

  test('of a list page holds the products of that page', async ({ request, api }) => {
    const html = await (await request.get('/top-rated/page/2')).text()
    const { items } = await api.list('topRatedProducts', { page: 2 })
    // Another test may have reviewed something in between.
    const found = items.filter(({ id, name }) => html.includes(`href="${paths.product(id, name)}"`))
    expect(found.length).toBeGreaterThan(8)
  })

  test('of a product holds its name, price, facts and reviews, for people and for machines', async ({
    request,
    api,
    baseURL,
    makeProduct,
  }) => {
    const product = await makeProduct({
      name: 'Tangle & Sons <b>"Bold"</b> Wool',
      price: 1234,
      description: 'Spun </script><script>alert(1)</script> by hand.',
      countInStock: 7,
    })
    await api.review(product, await api.register('Rita Rib'), { rating: 5, comment: 'As bold as <it> says & more.' })
    const html = await (await request.get(`/product/${product.id}`)).text()
    expect(html).toMatch(/<title[^>]*>Tangle &amp; Sons &lt;b&gt;.*Bold.*&lt;\/b&gt; Wool – Skein<\/title>/)
    expect(html).toContain(`<link rel="canonical" href="${baseURL}${paths.product(product.id, product.name)}"`)
    expect(html).toContain('$12.34')
    expect(html).toContain(escaped(product.description))
    expect(html).not.toContain('<script>alert(1)')
    expect(html).toContain('Rita Rib')
    expect(html).toContain(escaped('As bold as <it> says & more.'))
    const jsonLd = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)
    expect(JSON.parse(nth(present(jsonLd), 1))).toMatchObject({
      '@type': 'Product',
      name: product.name,
      description: product.description,
      offers: {
        price: '12.34',
        priceCurrency: 'USD',
        availability: 'https://schema.org/InStock',
        url: baseURL + paths.product(product.id, product.name),
        shippingDetails: {
          '@type': 'OfferShippingDetails',
          shippingRate: { value: '1.50', currency: 'USD' },
          shippingDestination: { addressCountry: 'US' },
          deliveryTime: {
            handlingTime: { minValue: 1, maxValue: 2, unitCode: 'DAY' },
            transitTime: { minValue: 2, maxValue: 4, unitCode: 'DAY' },
          },
        },
        hasMerchantReturnPolicy: {
          '@type': 'MerchantReturnPolicy',
          applicableCountry: 'US',
          returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
          merchantReturnDays: 30,
        },
      },
      aggregateRating: { ratingValue: '5.0', reviewCount: 1 },
      review: [
        { author: { name: 'Rita Rib' }, reviewBody: 'As bold as <it> says & more.', reviewRating: { ratingValue: 5 } },
      ],
      brand: { name: 'Skein' },
    })
  })

  test('of a product asks for its first picture before anything that can wait', async ({ request, api }) => {
    const { id } = await api.find('Tarnbeck DK in Madder')
    const html = await (await request.get(`/product/${id}`)).text()
    const [picture, ...others] = html.matchAll(/<link rel="preload" as="image"[^>]*>/g)
    expect(present(picture)[0]).toContain('fetchPriority="high"')
    expect(present(picture)[0]).toContain('type="image/avif"')
    expect(others).toEqual([])
    expect(present(picture).index).toBeLessThan(html.indexOf('<link rel="preload" as="font"'))
    expect(html).not.toContain('<link rel="modulepreload"')
  })

  test('of a product asks for programs when what is in view has come', async ({ page, api }) => {
    const { id } = await api.find('Tarnbeck DK in Madder')
    await page.goto(`/product/${id}`)
    // Pictures are made smaller when they are first asked for, which may take longer than scripts wait.
    await page.reload()
    await alive(page)
    const asked = await page.evaluate(() => {
      const shown = document.querySelector<HTMLImageElement>('img[fetchpriority=high]')?.currentSrc
      const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const picture = files.find(({ name }) => name === shown)
      return {
        picture: picture?.responseEnd ?? NaN,
        programs: files.filter(({ name }) => name.endsWith('.js')).map(({ startTime }) => startTime),
      }
    })
    expect(asked.programs.length).toBeGreaterThan(3)
    expect(Math.min(...asked.programs)).toBeGreaterThanOrEqual(asked.picture)
    expect(
      await page
        .locator('img[fetchpriority=low]')
        .first()
        .evaluate(image => image.checkVisibility()),
    ).toBe(true)
  })

  test('of a cart holds what an empty one shows', async ({ request, api }) => {
    const html = await (await request.get('/cart')).text()
    expect(html).toContain('Your cart is empty.')
    const { customersAlsoViewed } = await api.ask('{ customersAlsoViewed { id } }')
    expect(customersAlsoViewed).toHaveLength(4)
    expect(customersAlsoViewed.filter(({ id }) => html.includes(`/product/${id}`)).length).toBeGreaterThan(0)
  })

  test('is the same for everyone', async ({ request, api }) => {
    const { token } = await api.register('Peeping Tom')
    const { id } = await api.find('Tarnbeck DK in Madder')
    for (const path of ['/cart', '/login', '/profile', paths.product(id, 'Tarnbeck DK in Madder'), '/order']) {
      const get = async (headers = {}) => (await request.get(path, { headers })).text()
      let [before, shopper, after] = ['', '', '-']
      // Other tests may change the public page in between.
      while (before !== after) {
        before = await get()
        shopper = await get({ authorization: `Bearer ${token}`, cookie: `token=${token}` })
        after = await get()
      }
      expect(shopper, path).toBe(before)
      expect(shopper).not.toContain('Peeping Tom')
    }
  })
})

test.describe('the address of a product', () => {
  test('ends with its name; every other end of it leads there', async ({ baseURL, makeProduct }) => {
    const product = await makeProduct({ name: `Ångström’s “Sock” ${unique()} 毛糸` })
    const address = paths.product(product.id, product.name)
    expect(decodeURIComponent(address)).toMatch(/^\/product\/[0-9a-f-]{36}\/angstroms-sock-[a-z0-9]+-毛糸$/)
    for (const other of ['', '/', '/an-old-name', '/%F0%9F%A7%B6', `/${'x'.repeat(3000)}`]) {
      const answer = await fetch(`${baseURL}/product/${product.id}${other}?utm_source=mail`, { redirect: 'manual' })
      expect(answer.status, other).toBe(301)
      expect(answer.headers.get('location'), other).toBe(`${address}?utm_source=mail`)
      expect(answer.headers.get('cache-control'), other).toBe('no-cache')
    }
    expect((await fetch(baseURL + address, { redirect: 'manual' })).status).toBe(200)
    expect((await fetch(`${baseURL}${address}/more`, { redirect: 'manual' })).status).toBe(404)
    const sitemap = await (await fetch(`${baseURL}/sitemap.xml`)).text()
    expect(sitemap).toContain(`<loc>${baseURL}${address}</loc>`)
  })

  test('follows a new name from within the shop, too, and back leads to where one was', async ({
    page,
    makeProduct,
    changeProduct,
  }) => {
    const product = await makeProduct()
    await open(page, paths.search(product.name))
    const name = `Renamed Skein ${unique()}`
    await changeProduct(product, { name })
    await page.getByRole('link', { name: product.name }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page).toHaveURL(paths.product(product.id, name))
    await page.goBack()
    await expect(page).toHaveURL(paths.search(product.name))
  })
})

// The cart is an exception: only the browser knows whether it is empty, so that picks are shown instead.
test('nothing is fetched from the API to show a public page for the first time', async ({ page, api }) => {
  const asked: string[] = []
  page.on('request', request => {
    if (new URL(request.url()).pathname === '/graphql') asked.push(`${page.url()}: ${request.postData()}`)
  })
  const { id } = await api.find('Cobwren Shetland Lace in Moorit')
  for (const path of [
    '/',
    '/page/2',
    '/search/merino',
    '/search/merino/page/2',
    '/search/zeppelin',
    '/top-rated',
    '/top-rated/page/2',
    '/top-rated/search/merino',
    '/top-rated/search/zeppelin',
    '/collections',
    `/product/${id}`,
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password',
  ]) {
    await open(page, path)
    await page.waitForLoadState('networkidle')
  }
  expect(asked).toEqual([])
})

test('those who only look download neither the admin nor PayPal', async ({ page, api, shopper, makeProduct }) => {
  const scripts: string[] = []
  page.on('request', request => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  const heavy = () => scripts.filter(url => /admin|paypal|chart|sdk/i.test(url))
  const order = await api.placeOrder(shopper, [{ product: await makeProduct(), quantity: 1 }])
  for (const path of ['/', '/cart', '/profile']) {
    await open(page, path)
    await page.waitForLoadState('networkidle')
  }
  expect(scripts.length).toBeGreaterThan(0)
  expect(heavy()).toEqual([])
  // A page with something to pay loads one of these.
  await open(page, `/order/${order.id}`)
  await expect(page.getByRole('button', { name: 'Debit or Credit Card' })).toBeVisible()
  expect(heavy().some(url => url.includes('PayPalPayment'))).toBe(true)
})

test('the program of a page is fetched while a link to it is pointed at', async ({ page }) => {
  await open(page, '/')
  const fetched = page.waitForResponse(/\/assets\/ProductPage-/)
  await page.locator('main a[href^="/product/"]').last().hover()
  expect((await fetched).status()).toBe(200)
  await expect(page).toHaveURL('/')
})

test.describe('the headers', () => {
  test('let of what stands in the page only what the shop wrote run, known by its hash', async ({ request }) => {
    const nonces = new Set<string>()
    for (const path of ['/', '/', '/login', '/no/such/page']) {
      const response = await request.get(path)
      const policy = present(response.headers()['content-security-policy'])
      const allowed = (directive: string) =>
        present(policy.split('; ').find(rule => rule.startsWith(`${directive} `))).split(' ')
      const nonce = allowed('script-src').find(source => /^'nonce-[^']{16,}'$/.test(source))
      expect(nonce, path).toBeDefined()
      nonces.add(present(nonce))
      expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|unsafe-hashes|strict-dynamic|\*(?=[ ;])/)
      expect(policy).toMatch(/default-src 'self'/)
      expect(policy).toMatch(/object-src 'none'/)
      expect(policy).toMatch(/frame-ancestors 'none'/)
      expect(policy).toMatch(/base-uri 'none'/)
      const html = await response.text()
      // The page is kept for many shoppers, so it cannot hold what only one answer may know.
      expect(html).not.toContain('nonce')
      // There are two style elements: that of all pages, and that of this page's parts.
      for (const [element, directive, count] of [
        ['script', 'script-src', 1],
        ['style', 'style-src', 2],
      ] as const) {
        const inline = [...html.matchAll(new RegExp(`<${element}\\b([^>]*)>(.*?)</${element}>`, 'gs'))]
          .filter(([, attributes]) => !/type="application\/(ld\+)?json"| src="\//.test(present(attributes)))
          .map(([, , content]) => sha256(present(content)))
        expect(inline.length, `${path} ${element}`).toBe(count)
        // Nothing else is allowed, except an empty style element, which the shop's script fills.
        const known = element === 'style' ? [...inline, sha256('')] : inline
        expect(allowed(directive).filter(source => source.startsWith("'sha"))).toEqual(known)
      }
      // The browser would refuse these.
      expect(html).not.toMatch(/<[a-z][^>]* style="/)
    }
    expect(nonces.size).toBe(4)
  })

  test('stop what somebody else puts into a page', async ({ page, quiet }) => {
    quiet.expects(/Content Security Policy/)
    await open(page, '/')
    const ran = await page.evaluate(async () => {
      const stopped: string[] = []
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => stopped.push(effectiveDirective))
      const put = (tag: string, text: string) =>
        document.body.append(Object.assign(document.createElement(tag), { textContent: text }))
      put('script', 'document.title = "taken over"')
      put('style', 'body { rotate: 180deg }')
      while (stopped.length < 2) await new Promise(requestAnimationFrame)
      return { title: document.title, rotate: getComputedStyle(document.body).rotate, stopped }
    })
    expect(ran.title).not.toBe('taken over')
    expect(ran).toMatchObject({ rotate: 'none', stopped: ['script-src-elem', 'style-src-elem'] })
  })

  test('stop nothing of the shop’s own, which each visit would report', async ({ page }) => {
    await page.addInitScript(() => {
      const stopped: string[] = []
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
        stopped.push(`${effectiveDirective} ${blockedURI}`),
      )
      Object.assign(window, { stopped })
    })
    for (const path of ['/', '/register', '/contact', '/cart']) {
      await open(page, path)
      expect(await page.evaluate('stopped'), path).toEqual([])
    }
  })

  test('tell PayPal’s script by what its own are let in', async ({ page, api, shopper, makeProduct }) => {
    const order = await api.placeOrder(shopper, [{ product: await makeProduct(), quantity: 1 }])
    const response = await open(page, `/order/${order.id}`)
    const script = page.locator('script[data-csp-nonce]')
    await expect(script).toBeAttached()
    const nonce = await script.getAttribute('data-csp-nonce')
    expect(nonce).toMatch(/^.{16,}$/)
    expect(present(response).headers()['content-security-policy']).toContain(`'nonce-${nonce}'`)
  })

  test('keep no copy of the page for a new password, nor tell where it was', async ({ request }) => {
    const response = await request.get('/reset-password')
    expect(response.headers()).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    expect(await response.text()).toContain('<meta name="robots" content="noindex"/>')
    expect(await (await request.get('/robots.txt')).text()).toMatch(
      /Disallow: \/forgot-password\nDisallow: \/reset-password\n/,
    )
  })

  test('let PayPal’s window talk to the shop and nobody sniff', async ({ request }) => {
    const headers = (await request.get('/')).headers()
    expect(headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
  })
})

test('no address makes the server fail', async ({ baseURL }) => {
  const long = 'x'.repeat(10_000)
  for (const path of [
    '/%00',
    '/search/%00',
    '/search/a%00b',
    '/product/%00',
    '/%E0%A4%A',
    '/search/%E0%A4%A',
    '/product/%E0%A4%A',
    '/search/%',
    '/search/%ff',
    '/page/%2e%2e',
    '//',
    '//evil.example',
    '///evil.example/%2f..',
    '/\\evil.example',
    '/..//evil.example',
    '/.',
    '/search/..',
    '/search/%2e%2e',
    '/search/%2F%2F',
    '/search/.',
    '/%5c%5cevil.example',
    `/${long}`,
    `/search/${long}`,
    `/product/${long}`,
    `/?q=${long}`,
    `/page/${'9'.repeat(400)}`,
    '/search/%F0%9F%A7%B6',
    '/search/%ED%A0%80',
    '/search/%25',
    '/search/_',
    '/search/%5C',
    "/search/'%20or%201=1--",
    '/search/<script>',
    '/?__proto__=1',
    '/constructor',
    '/__proto__',
    '/search/__proto__',
    '/assets/../../package.json',
    '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    '/images/%2e%2e%2fseed.ts',
    '/images/nothing.webp?w=-1',
    '/images/tarnbeck-moss.webp?w=99999999',
    '/uploads/%00',
    '/order/%00',
    '/api/%E0%A4%A',
    '/graphql?query=%7B',
  ]) {
    const { status, location, html } = await getAsItIs(present(baseURL), path)
    const label = path.slice(0, 60)
    expect(status, label).toBeLessThan(500)
    expect(location ?? '/', label).toMatch(/^\/(?![/\\])/)
    if (html) expect(html, label).not.toMatch(/\bat .*\.[jt]sx?:\d+/)
  }
})

/** Gets a path without tidying it up first, as a browser would. */
async function getAsItIs(origin: string, path: string) {
  const { hostname, port } = new URL(origin)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ hostname, port, path, headers: { accept: 'text/html' } }, resolve).on('error', reject)
  })
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const { 'content-type': type, location } = response.headers
  return {
    status: present(response.statusCode),
    location,
    html: type?.includes('html') ? Buffer.concat(chunks).toString() : null,
  }
}

test.describe('hydration', () => {
  const paths = (id: string) => [
    '/',
    `/product/${id}`,
    '/search/zeppelin',
    '/top-rated',
    '/collections',
    '/cart',
    '/login',
    '/shipping',
    '/profile',
  ]

  test('says nothing, for a visitor with a cart and for a shopper', async ({ page, api }) => {
    const product = await api.find('Flaxwright 16/2 Linen in Raw Flax')
    await fillCart(page, [{ product, quantity: 2 }])
    for (const path of paths(product.id)) await open(page, path)
    await signIn(page, await api.register())
    for (const path of paths(product.id)) await open(page, path)
    // `quiet` would have recorded a difference.
    await expect(page.getByRole('link', { name: 'Cart, 2 items' })).toBeVisible()
  })

  test('says nothing in the development build either, which warns of every difference', async ({
    page,
    browser,
    playwright,
    quiet,
  }) => {
    test.setTimeout(300_000)
    // Vite sends programs one by one, so that on a slow machine pictures wait for them longer than the browser thinks right.
    quiet.expects(/was preloaded using link preload but not used within a few seconds/)
    const dev = await startDevelopment()
    const first = await browser.newPage()
    try {
      const find = await page.request.post(`${dev.url}/graphql`, {
        data: { query: '{ products { items { id name price countInStock weight image } } }' },
      })
      const product = (await find.json()).data.products.items[0]
      // The first visits make Vite gather what the pages import, which may reload them.
      for (const path of ['/', `/product/${product.id}`, '/login']) {
        await first.goto(dev.url + path)
        await expect(first.getByRole('region', { name: 'Notifications' })).toBeAttached({ timeout: 120_000 })
      }

      await page.goto(`${dev.url}/robots.txt`)
      await fillCart(page, [{ product, quantity: 2 }])
      // An account of this shop: another one's session is refused.
      const http = await playwright.request.newContext({ baseURL: dev.url })
      await signIn(page, await new Api(http).register())
      await http.dispose()
      await open(page, `${dev.url}/`)
      await expect(page.getByRole('link', { name: 'Cart, 2 items' })).toBeVisible()
      await expect(page.getByRole('article').first()).toContainText(dollars(product.price))
      for (const path of paths(product.id).slice(1, 6)) await open(page, dev.url + path)
    } finally {
      await page.goto('about:blank')
      // The shop stops although a page of it is still open.
      await dev.stop()
      await first.close()
    }
  })
})

/** Starts a separate shop that serves the storefront from source. */
async function startDevelopment() {
  const [port, simulatorPort] = [await freePort(), await freePort()]
  const dataDir = mkdtempSync(join(tmpdir(), 'skein-e2e-dev-'))
  const env = {
    ...process.env,
    PORT: String(port),
    PAYPAL_SIMULATOR_PORT: String(simulatorPort),
    DATA_DIR: dataDir,
    SEED: 'demo',
    NODE_ENV: 'development',
  }
  const shop = spawn('tsx', ['--tsconfig', 'api/tsconfig.json', 'api/main.ts', '--dev'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    let said = ''
    const listen = (chunk: Buffer) => {
      said += String(chunk)
      if (said.includes('Press Ctrl-C')) resolve()
    }
    shop.stdout.on('data', listen)
    shop.stderr.on('data', listen)
    shop.on('error', reject)
    shop.on('exit', code => reject(new Error(`The development server ended with ${code}:\n${said}`)))
  })
  return { url: `http://localhost:${port}`, stop: () => stop(shop, dataDir) }
}

async function stop(shop: ChildProcess, dataDir: string) {
  const ended = new Promise(resolve => shop.once('exit', resolve))
  shop.kill('SIGTERM')
  await ended
  rmSync(dataDir, { recursive: true, force: true })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo
        server.close(() => resolve(port))
      })
  })
}
