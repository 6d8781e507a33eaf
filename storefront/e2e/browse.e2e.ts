import type { Page } from '@playwright/test'
import { paths } from '../paths.ts'
import { alive, answered, day, dollars, escaped, expect, open, type Product, test } from './fixtures.ts'
import { present } from '#schema/rules/present'

test.describe.configure({ mode: 'parallel' })

const MESSAGES = [
  '15% off your first armful',
  'Free shipping on orders of $100 and over',
  'The yarns our knitters rate best',
]

test.describe('the carousel', () => {
  const carousel = (page: Page) => page.getByRole('region', { name: 'From the shop' })
  const message = (page: Page, index: number) => carousel(page).getByRole('heading', { name: MESSAGES[index % 3] })
  /** Its heading is in view before the carousel has turned halfway, which is when its five seconds begin. */
  async function isShown(page: Page, index: number) {
    const slide = carousel(page).getByRole('group', { name: `${(index % 3) + 1} of 3` })
    await expect(slide).not.toHaveAttribute('inert')
    await expect(message(page, index)).toBeInViewport({ ratio: 1 })
  }

  /** Which message is shown: the carousel may have turned while the page came alive. */
  async function shown(page: Page): Promise<number> {
    let index = -1
    await expect(async () => {
      for (index = 0; index < MESSAGES.length; index++)
        if (await message(page, index).evaluate(isInside, await carousel(page).elementHandle())) return
      throw new Error('It is turning.')
    }).toPass()
    return index
  }
  const isInside = (inner: Element, outer: Element | null) =>
    Math.abs(inner.getBoundingClientRect().left - (outer?.getBoundingClientRect().left ?? Infinity)) < 8

  /** From now on time passes only when the test moves the clock. */
  async function stopClock(page: Page) {
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000))
  }

  test('shows its three messages, one every five seconds', async ({ page }) => {
    await page.clock.install()
    await open(page, '/')
    // Paused, so that the clock does not stop in the middle of a turn.
    await carousel(page).getByRole('button', { name: 'Pause' }).press('Enter')
    await expect(carousel(page).getByRole('button', { name: 'Play' })).toBeVisible()
    await stopClock(page)
    const first = await shown(page)
    await carousel(page).getByRole('button', { name: 'Play' }).press('Enter')
    await page.getByRole('combobox', { name: 'Search products' }).focus()
    await isShown(page, first)
    for (const turns of [1, 2, 3]) {
      await page.clock.runFor(4_900)
      await isShown(page, first + turns - 1)
      await page.clock.runFor(100)
      await isShown(page, first + turns)
    }
  })

  test('stays where it is when paused, and goes on when played', async ({ page }) => {
    await page.clock.install()
    await open(page, '/')
    await carousel(page).getByRole('button', { name: 'Pause' }).press('Enter')
    await page.getByRole('combobox', { name: 'Search products' }).focus()
    const first = await shown(page)
    await page.clock.fastForward(20_000)
    await expect(carousel(page).getByRole('button', { name: 'Play' })).toBeVisible()
    await isShown(page, first)

    await carousel(page).getByRole('button', { name: 'Play' }).press('Enter')
    await stopClock(page)
    await page.getByRole('combobox', { name: 'Search products' }).focus()
    await page.clock.runFor(5_000)
    await isShown(page, first + 1)
  })

  test('does not turn while it has the focus or the pointer', async ({ page }) => {
    await page.clock.install()
    await open(page, '/')
    await page.getByRole('button', { name: 'Next message' }).focus()
    const first = await shown(page)
    await page.clock.fastForward(20_000)
    await isShown(page, first)
    await message(page, first).hover()
    await page.getByRole('combobox', { name: 'Search products' }).focus()
    await page.clock.fastForward(20_000)
    await isShown(page, first)
  })

  test('turns by button and by arrow key, round and round', async ({ page }) => {
    // Slides change at once, because a link on a moving slide cannot be pressed.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(page, '/')
    const next = page.getByRole('button', { name: 'Next message' })
    await isShown(page, 0)
    await next.click()
    await isShown(page, 1)
    await next.press('ArrowRight')
    await isShown(page, 2)
    await next.press('ArrowRight')
    await isShown(page, 0)
    await next.press('ArrowLeft')
    await isShown(page, 2)
    await page.getByRole('link', { name: 'See the top-rated picks' }).click()
    await expect(page).toHaveURL('/top-rated')
  })
})

test.describe('the newsletter box', () => {
  test('is where #newsletter leads, from the carousel', async ({ page }) => {
    await open(page, '/')
    await page.getByRole('link', { name: 'Sign up for 15% off' }).click()
    await expect(page).toHaveURL('/#newsletter')
    await expect(page.getByRole('heading', { name: '15% off your first order' })).toBeInViewport()
  })

  test('is where #newsletter leads, from another page and by address', async ({ page }) => {
    await open(page, '/cart')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter' }).click()
    await expect(page).toHaveURL('/#newsletter')
    await expect(page.getByRole('region', { name: '15% off your first order' })).toBeFocused()
    await expect(page.getByRole('heading', { name: '15% off your first order' })).toBeInViewport()

    await open(page, '/top-rated')
    await page.goto('/#newsletter')
    await expect(page.getByRole('heading', { name: '15% off your first order' })).toBeInViewport()
  })
})

test.describe('the way to the newsletter box', () => {
  /** Records where the page is scrolled to, frame by frame. */
  const follow = (page: Page) =>
    page.evaluate(() => {
      const places: number[] = []
      Object.assign(window, { places })
      const look = () => {
        places.push(Math.round(scrollY))
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
  const placesOf = async (page: Page) =>
    new Set(await page.evaluate(() => (window as unknown as { places: number[] }).places))
  const box = (page: Page) => page.getByRole('region', { name: '15% off your first order' })

  for (const [from, press] of [
    ['the carousel', (page: Page) => page.getByRole('link', { name: 'Sign up for 15% off' }).click()],
    [
      'another page',
      (page: Page) => page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter' }).press('Enter'),
    ],
  ] as const) {
    test(`is gone smoothly from ${from}`, async ({ page }) => {
      await open(page, from === 'the carousel' ? '/' : '/cart')
      await follow(page)
      await press(page)
      await expect(box(page)).toBeFocused()
      await expect(box(page)).toBeInViewport({ ratio: 0.9 })
      // A busy machine draws few frames; a jump would have only a start and an end.
      expect((await placesOf(page)).size, 'places on the way').toBeGreaterThan(2)
      await expect(page.locator('html')).not.toHaveAttribute('style', /scroll/)
    })
  }

  test('is gone smoothly by address, even before any program runs', async ({ page }) => {
    await page.route('**/assets/**/*.js', () => {})
    await page.route('**/assets/*.js', () => {})
    const behavior = () => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)
    await page.goto('/#newsletter', { waitUntil: 'commit' })
    await expect(box(page)).toBeInViewport()
    expect(await behavior()).toBe('smooth')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await behavior()).toBe('auto')
    await page.unroute('**/assets/**/*.js')
    await page.unroute('**/assets/*.js')
    await page.reload()
    await expect(box(page)).toBeFocused()
  })

  test('is jumped by who wants no motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(page, '/cart')
    await follow(page)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter' }).press('Enter')
    await expect(box(page)).toBeFocused()
    await expect(box(page)).toBeInViewport({ ratio: 0.9 })
    expect((await placesOf(page)).size).toBeLessThan(5)
  })
})

test('a page on its way shows a ball that winds itself, and starts over after six seconds', async ({ page }) => {
  await page.route('**/assets/**/*.js', () => {})
  await page.route('**/assets/*.js', () => {})
  await page.goto('/profile', { waitUntil: 'commit' })
  const loader = page.getByRole('main').getByRole('status')
  await expect(loader).toHaveText('Loading')
  const turns = await loader.evaluate(ball =>
    ball.getAnimations({ subtree: true }).map(turn => {
      const timing = turn.effect?.getTiming()
      return { duration: timing?.duration, delay: timing?.delay, iterations: timing?.iterations }
    }),
  )
  expect(turns).toEqual(Array.from({ length: 6 }, () => ({ duration: 6000, delay: 0, iterations: Infinity })))
})

test.describe('the product list', () => {
  test('shows the catalogue on numbered pages', async ({ page }) => {
    await open(page, '/')
    const pages = page.getByRole('navigation', { name: 'Pages of products' })
    // The page's own count, because other tests add products and take them off sale.
    const total = page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: / products$/ })
    const last = Math.ceil(Number.parseInt(present(await total.textContent())) / 12)
    await expect(pages.getByRole('link', { name: `Page ${last}`, exact: true })).toBeVisible()
    await expect(pages.getByRole('link', { name: `Page ${last + 1}`, exact: true })).toHaveCount(0)
    await expect(page.getByRole('article')).toHaveCount(12)
    await expect(pages.getByRole('link', { name: 'Page 1', exact: true })).toHaveAttribute('aria-current', 'page')

    await pages.getByRole('link', { name: 'Page 2', exact: true }).click()
    await expect(page).toHaveURL('/page/2')
    await expect(pages.getByRole('link', { name: 'Page 2', exact: true })).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('heading', { name: 'Everything on the shelves' })).toBeInViewport()
    await pages.getByRole('link', { name: 'Next page' }).click()
    await expect(page).toHaveURL('/page/3')
    await pages.getByRole('link', { name: 'Page 1', exact: true }).click()
    await expect(page).toHaveURL('/')
  })

  test('shows a card with picture, name, price, stars and availability', async ({ page, api }) => {
    const product = await api.find('Ninepin Twins in Copper Kettle')
    await open(page, `/search/${encodeURIComponent(product.name)}`)
    const card = page.getByRole('article').filter({ has: page.getByRole('link', { name: product.name }) })
    await expect(card).toContainText(dollars(product.price))
    await expect(card).toContainText(product.category)
    await expect(card).toContainText(/out of 5 stars/)
    await card.getByRole('link', { name: product.name }).click()
    await expect(page).toHaveURL(paths.product(product.id, product.name))
    await expect(page.getByRole('heading', { level: 1, name: product.name, exact: true })).toBeVisible()
    await alive(page)
    await page.getByRole('link', { name: 'Go Back' }).click()
    await expect(page).toHaveURL(/\/search\//)
  })

  test('is where Go Back leads from a product whose link was followed before the page came alive', async ({
    page,
    api,
  }) => {
    const product = await api.find('Ninepin Twins in Copper Kettle')
    await open(page, `/search/${encodeURIComponent(product.name)}`)
    const link = page.getByRole('article').getByRole('link', { name: product.name })
    await link.evaluate((element: HTMLAnchorElement) => {
      location.href = element.href
    })
    await expect(page).toHaveURL(paths.product(product.id, product.name))
    await alive(page)
    await page.getByRole('link', { name: 'Go Back' }).click()
    await expect(page).toHaveURL(/\/search\//)
  })

  test('moves a wrong page number to the nearest page', async ({ page }) => {
    const numbers = page
      .getByRole('navigation', { name: 'Pages of products' })
      .getByRole('link', { name: /^Page \d+$/ })
    for (const wrong of ['/page/0', '/page/-1', '/page/abc', '/page/1.5']) {
      const response = await page.goto(wrong)
      expect(response?.status(), wrong).toBe(200)
      await expect(numbers.first(), wrong).toHaveAttribute('aria-current', 'page')
      await expect(page.getByRole('article'), wrong).toHaveCount(12)
    }
    for (const wrong of ['/page/999', '/page/99999999999999999999', '/top-rated/page/999', '/search/merino/page/999']) {
      const response = await page.goto(wrong)
      expect(response?.status(), wrong).toBe(200)
      await expect(numbers.last(), wrong).toHaveAttribute('aria-current', 'page')
      await expect(page.getByRole('article').first(), wrong).toBeVisible()
    }
  })
})

test.describe('search', () => {
  test('says what it found for which keyword', async ({ page, api }) => {
    await open(page, '/')
    const search = page.getByRole('combobox', { name: 'Search products' })
    await search.fill('merino')
    await search.press('Enter')
    await expect(page).toHaveURL('/search/merino')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search Results for "merino":')
    const { total } = await api.list('products', { keyword: 'merino' })
    await expect(page.getByText(`${total} products`, { exact: true })).toBeVisible()
    await expect(page.getByRole('region', { name: 'From the shop' })).toHaveCount(0)
    await expect(page.getByText('15% off your first order')).toHaveCount(0)

    await page.getByRole('link', { name: 'Page 2', exact: true }).click()
    await expect(page).toHaveURL('/search/merino/page/2')
    await page.getByRole('link', { name: 'Go Back' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('region', { name: 'From the shop' })).toBeVisible()
  })

  test('has no pages when there is only one', async ({ page }) => {
    await open(page, '/search/darning')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search Results for "darning":')
    await expect(page.getByRole('navigation', { name: 'Pages of products' })).toHaveCount(0)
  })

  test('mends a typing error, says so, and searches for the word as typed when asked to', async ({ page }) => {
    await open(page, '/search/merno')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search Results for "merno":')
    await expect(page.getByText('Showing what we have for “merino”.')).toBeVisible()
    await page.getByRole('link', { name: 'Search for “merno” instead' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('No Results for "merno":')
    await expect(page).toHaveURL(/\/search\/merno\?asTyped$/)
    await page.getByRole('link', { name: '“merino”' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search Results for "merino":')
  })

  test('shows what comes closest when nothing has all words, and says so', async ({ page }) => {
    await open(page, '/search/maroon%20aran')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search Results for "maroon aran":')
    await expect(page.getByText('Nothing has all of these words. Here is what comes closest.')).toBeVisible()
    await expect(page.getByRole('main').getByRole('article')).not.toHaveCount(0)
  })

  test('helps when it found nothing', async ({ page }) => {
    await open(page, '/')
    const told = answered(page, 'AlsoViewed')
    const search = page.getByRole('combobox', { name: 'Search products' })
    await search.fill('qiviut zeppelin')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('No Results for "qiviut zeppelin":')
    await expect(page.getByText(/check your spelling/i)).toBeVisible()
    await expect(page.getByText(/limit your search to one or two simple keywords/i)).toBeVisible()
    await expect(page.getByText(/be less specific/i)).toBeVisible()

    // What the page was sent: the best rated products change as other tests write reviews.
    const best: Pick<Product, 'name' | 'price' | 'rating'>[] = (await (await told).json()).data.customersAlsoViewed
    const viewed = page.getByRole('region', { name: 'Customers Also Viewed' }).getByRole('listitem')
    await expect(viewed).toHaveCount(4)
    for (const [place, { name, price, rating }] of best.entries()) {
      const item = viewed.nth(place)
      await expect(item.getByRole('link', { name })).toBeVisible()
      await expect(item).toContainText(dollars(price))
      await expect(item).toContainText(`${rating.toFixed(1)} out of 5 stars`)
    }
    await page.getByRole('link', { name: /top-rated/ }).click()
    await expect(page).toHaveURL('/top-rated')
  })

  test('for nothing leads home', async ({ page }) => {
    await open(page, '/top-rated')
    const search = page.getByRole('combobox', { name: 'Search products' })
    await search.fill('   ')
    await search.press('Enter')
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('region', { name: 'From the shop' })).toBeVisible()
  })

  test('takes every keyword as it is', async ({ page }) => {
    await open(page, '/cart')
    const search = page.getByRole('combobox', { name: 'Search products' })
    const heading = page.getByRole('heading', { level: 1 })
    for (const keyword of ['100%', 'a/b', 'what?', '#5', '_', '\\', '"><b>', '🧶', '..', 'knit & purl']) {
      await search.fill(keyword)
      await search.press('Enter')
      const said = new RegExp(`^(Search|No) Results for "${keyword.replace(/[.?\\]/g, '\\$&')} ?":$`)
      await expect(heading).toHaveText(said)
      // The server reads the address as the browser wrote it, whatever other tests have put on sale since.
      const html = await (await page.request.get(page.url())).text()
      const title = /<h1[^>]*>(?:Search|No) Results for (.*?):<\/h1>/s.exec(html)?.[1]
      expect(`${title}:`, keyword).toBe(escaped(present(await heading.textContent()).replace(/^.*? for /, '')))
    }
  })
})

test.describe('top-rated', () => {
  test('is the same list under its banner, and goes back home', async ({ page, api }) => {
    await open(page, '/top-rated')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText("Top Picks You'll Love")
    const { items } = await api.list('topRatedProducts')
    await expect(page.getByRole('article')).toHaveCount(items.length)
    await page.getByRole('link', { name: 'Page 2', exact: true }).click()
    await expect(page).toHaveURL('/top-rated/page/2')
    await page.getByRole('link', { name: 'Go Back' }).click()
    await expect(page).toHaveURL('/')
  })

  test('is searched by itself, and the search goes back to it', async ({ page }) => {
    await open(page, '/top-rated')
    const search = page.getByRole('combobox', { name: 'Search products' })
    await search.fill('merino')
    await search.press('Enter')
    await expect(page).toHaveURL('/top-rated/search/merino')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search Results for "merino":')
    await expect(page.getByText("Top Picks You'll Love")).toHaveCount(0)
    await page.getByRole('link', { name: 'Page 2', exact: true }).click()
    await expect(page).toHaveURL('/top-rated/search/merino/page/2')
    await page.getByRole('link', { name: 'Go Back' }).click()
    await expect(page).toHaveURL('/top-rated')
  })
})

test.describe('a product page', () => {
  test('reckons skeins and takes them, and tells every measure as one chose', async ({ page, makeProduct }) => {
    const product = await makeProduct()
    await open(page, paths.product(product.id, product.name))
    await page.getByText('How many skeins?').press('Enter')
    await expect(page.getByText(/A jumper \(M\) at 22 stitches in 4 inches takes about 1,312 yd/)).toBeVisible()
    await page.getByRole('button', { name: 'Take 7 skeins' }).press('Enter')
    await expect(page.getByLabel('Quantity')).toHaveValue('7')

    const facts = page.getByRole('region', { name: 'Product facts' })
    const [us, metric] = [/^22 sts × 30 rows in 4.in$/, /^22 sts × 30 rows in 10.cm$/]
    await expect(facts.getByText(us)).toBeVisible()
    await expect(facts.getByText(metric)).toBeHidden()
    await facts.getByRole('button', { name: 'Show metric measures' }).press('Enter')
    await expect(facts.getByText(metric)).toBeVisible()
    await expect(page.getByText(/at 22 stitches in 10 cm takes about 1,200 m/)).toBeVisible()
    await page.reload()
    await expect(facts.getByText(metric)).toBeVisible()
    await expect(facts.getByText(us)).toBeHidden()
  })

  test('says everything about the product', async ({ page, api }) => {
    const product = await api.find('Hollinshaw Tweed DK in Bracken')
    await open(page, `/product/${product.id}`)
    await expect(page.getByRole('heading', { level: 1, name: product.name })).toBeVisible()
    await expect(page.getByRole('img', { name: product.name, exact: true })).toBeVisible()
    await expect(page.getByText(product.description)).toBeVisible()
    await expect(page.getByRole('main')).toContainText(dollars(product.price))
    await expect(page.getByText('In Stock', { exact: true })).toBeVisible()
    await expect(page.getByRole('main')).toContainText(`${product.rating.toFixed(1)} out of 5 stars`)

    const facts = page.getByRole('region', { name: 'Product facts' })
    for (const [label, value] of [
      ['Weight', product.weight],
      ['Length', product.length],
      ['Gauge', product.gauge],
      ['Knitting needle size', product.knittingNeedle],
      ['Crochet hook size', product.crochetHook],
      ['Recommended care', product.recommendedCare],
    ] as const) {
      await expect(facts.getByText(label, { exact: true })).toBeVisible()
      await expect(facts.getByRole('definition').filter({ hasText: value }).first()).toBeVisible()
    }
  })

  test('lists its reviews, newest first', async ({ page, api, makeProduct }) => {
    const product = await makeProduct()
    await open(page, `/product/${product.id}`)
    const reviews = page.getByRole('region', { name: 'Customer Reviews' })
    await expect(reviews.getByText('No Reviews', { exact: true })).toBeVisible()

    await api.review(product, await api.register('Ida Intarsia'), { rating: 4, comment: 'Blooms after a wash.' })
    await api.review(product, await api.register('Bo Bobble'), { rating: 5, comment: 'Not a knot in it.' })
    await open(page, `/product/${product.id}`)
    await expect(reviews.getByRole('listitem')).toHaveCount(2)
    await expect(reviews.getByRole('listitem').first()).toContainText(/Bo Bobble.*5 out of 5 stars.*Not a knot in it\./)
    await expect(reviews.getByRole('listitem').first()).toContainText(
      new RegExp(day({ dateStyle: 'long', timeZone: 'UTC' })),
    )
    await expect(reviews.getByRole('listitem').last()).toContainText(
      /Ida Intarsia.*4 out of 5 stars.*Blooms after a wash\./,
    )
    await expect(reviews).toContainText('4.5')
    await expect(reviews).toContainText('from 2 reviews')
  })

  test('shows a dozen reviews at once and the others on demand', async ({ page, api, makeProduct }) => {
    const product = await makeProduct()
    for (let number = 1; number <= 13; number++)
      await api.review(product, await api.register(), { rating: 3, comment: `Opinion number ${number}.` })
    await open(page, `/product/${product.id}`)
    const reviews = page.getByRole('region', { name: 'Customer Reviews' })
    await expect(reviews.getByText('Opinion number 1.', { exact: true })).toHaveCount(0)
    await reviews.getByRole('button', { name: 'Show more reviews' }).click()
    await expect(reviews.getByText('Opinion number 1.', { exact: true })).toBeVisible()
    await expect(reviews.getByRole('listitem')).toHaveCount(13)
    await expect(reviews.getByRole('button', { name: 'Show more reviews' })).toHaveCount(0)
  })

  test('offers one to as many as there are', async ({ page, makeProduct }) => {
    const product = await makeProduct({ countInStock: 3 })
    await open(page, `/product/${product.id}`)
    await expect(page.getByRole('combobox', { name: 'Quantity' }).getByRole('option')).toHaveText(['1', '2', '3'])
    await expect(page.getByText(/In Stock.*only 3 left/)).toBeVisible()
  })

  test('of something sold out cannot be ordered', async ({ page, api }) => {
    const { id } = await api.find('Velveteen Row Cashmere Sport in Garnet')
    await open(page, `/product/${id}`)
    await expect(page.getByText('Out of Stock', { exact: true })).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Quantity' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Add to Cart' })).toBeDisabled()
  })

  test('that is not there has a page that says so', async ({ page, quiet }) => {
    quiet.expects(/status of 404/)
    for (const path of ['/product/nothing-like-it', '/no/such/page', '/product/0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c']) {
      const response = await open(page, path)
      expect(response?.status(), path).toBe(404)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('We’ve lost this thread')
    }
    await expect(page.getByRole('banner')).toBeVisible()
    await expect(page.getByRole('contentinfo')).toContainText(new RegExp(day({ year: 'numeric', timeZone: 'UTC' })))
    await page.getByRole('link', { name: 'Browse all products' }).click()
    await expect(page).toHaveURL('/')
  })

  test('that is not sold any more says so and leads on', async ({ page, quiet, makeProduct, archiveProduct }) => {
    quiet.expects(/status of 410/)
    const product = await makeProduct({ category: 'Worsted' })
    await open(page, `/search/${encodeURIComponent(product.name)}`)
    await archiveProduct(product)
    await page.getByRole('link', { name: product.name }).click()
    await expect(page.getByText('This is no longer sold')).toBeVisible()
    const response = await open(page, `/product/${product.id}`)
    expect(response?.status()).toBe(410)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(product.name)
    await expect(page.getByText('This is no longer sold')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Customers Also Viewed' })).toBeVisible()
    await page.getByRole('link', { name: 'Find more in Worsted' }).click()
    await expect(page).toHaveURL('/search/Worsted')
  })
})

test('light and dark change places at once', async ({ page }) => {
  await open(page, '/')
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const before = await ground()
  const transitions = await page
    .getByRole('button', { name: 'Switch between light and dark' })
    .evaluate((button: HTMLElement) => {
      button.click()
      return document.getAnimations().filter(animation => animation instanceof CSSTransition).length
    })
  expect(transitions).toBe(0)
  expect(await ground()).not.toBe(before)
  // From then on things move as before.
  await expect(page.locator('html')).not.toHaveAttribute('data-switching')
})
