import type { Page } from '@playwright/test'
import { paths } from '../paths.ts'
import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import { type Api, expect, household, open, signIn, stored, test, unique } from './fixtures.ts'
import { nth, present } from '#schema/rules/present'

test.describe.configure({ mode: 'parallel' })

const tag = '@phone'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const box = (page: Page) => page.getByRole('combobox', { name: 'Search products' })
const count = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /products?$/ })
const isPhone = (page: Page) => present(page.viewportSize()).width < 960

test.describe('the wall of colour on home', () => {
  const wall = (page: Page) => page.getByRole('navigation', { name: 'Shop by colour' })

  test('leads from a hue to the yarn that has it', { tag }, async ({ page, api }) => {
    await open(page, '/')
    const blue = wall(page).getByRole('link', { name: 'Blue yarn' })
    await blue.click()
    await expect(page).toHaveURL('/yarn/blue')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(/blue/i)
    // The shop may still be reading the colours of the sample's pictures.
    await expect(async () => {
      const total = await totalOf(api, { kind: ['YARN'], colour: ['BLUE'] })
      expect(total).toBeGreaterThan(3)
      await page.reload()
      await expect(count(page)).toHaveText(`${total} products`, { timeout: 1_000 })
    }).toPass()
    await page.goBack()
    await expect(wall(page).getByRole('link', { name: 'Blue yarn' })).toBeVisible()
  })

  test('is walked along with the keyboard, hue by hue in the order of a rainbow', async ({ page }) => {
    await open(page, '/')
    const hues = (await wall(page).getByRole('link').allInnerTexts()).map(text => text.trim().split(/\s/)[0])
    expect(hues.slice(0, 3)).toEqual(['Red', 'Orange', 'Yellow'])
    const [red, orange] = [wall(page).getByRole('link').nth(0), wall(page).getByRole('link').nth(1)]
    await red.focus()
    await page.keyboard.press('Tab')
    await expect(orange).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/yarn/orange')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(/orange/i)
  })

  test('has no barriers', { tag }, async ({ page }) => {
    await open(page, '/')
    await expect(wall(page)).toBeVisible()
    await expectNoBarriers(page)
    await expectNoSidewaysScroll(page)
  })
})

/** The filters: beside the list, or in a drawer. */
async function filters(page: Page) {
  if (isPhone(page)) await page.getByRole('button', { name: /^Filter/ }).click()
  return page.getByRole('region', { name: 'Filters' })
}

async function totalOf(api: Api, filter: object) {
  const query = 'query ($filter: ProductFilter) { products(filter: $filter) { total } }'
  return (await api.ask(query, { filter })).products.total
}

test.describe('filters', () => {
  test('narrow a list by several values, in the address, and back again', { tag }, async ({ page, api }) => {
    await open(page, '/yarn')
    const panel = await filters(page)
    // Other tests add and remove yarns of other weights.
    const sport = await totalOf(api, { kind: ['YARN'], weightClass: ['SPORT'] })
    const both = await totalOf(api, { kind: ['YARN'], weightClass: ['LACE', 'SPORT'] })
    // Each count says how many products pressing gives.
    await expect(panel.getByRole('checkbox', { name: `Sport ${sport}` })).toBeVisible()
    await panel.getByRole('checkbox', { name: /^Sport / }).check()
    await expect(page).toHaveURL('/yarn?weight=sport')
    await panel.getByRole('checkbox', { name: /^Lace / }).check()
    await expect(page).toHaveURL('/yarn?weight=lace,sport')
    await expect(panel.getByRole('checkbox', { name: /^Lace / })).toBeFocused()
    if (isPhone(page)) await panel.getByRole('button', { name: /^Show / }).click()
    await expect(count(page)).toHaveText(`${both} products`)

    await page.getByRole('link', { name: 'Take away Lace' }).click()
    await expect(page).toHaveURL('/yarn?weight=sport')
    await expect(count(page)).toHaveText(`${sport} products`)
    await page.goBack()
    await expect(page).toHaveURL('/yarn?weight=lace,sport')
    await expect(count(page)).toHaveText(`${both} products`)
    await page.getByRole('link', { name: 'Clear all', exact: true }).click()
    await expect(page).toHaveURL('/yarn')
    await expect(page.getByRole('list', { name: 'Chosen filters' })).toHaveCount(0)
  })

  test('keep the place on the page, and load no document', async ({ page }) => {
    await open(page, '/')
    await page.evaluate(() => ((window as { stays?: boolean }).stays = true))
    const panel = page.getByRole('region', { name: 'Filters' })
    const blue = panel.getByRole('checkbox', { name: /^Blue / })
    await blue.scrollIntoViewIfNeeded()
    const before = present(await blue.boundingBox()).y
    await blue.check()
    await expect(page).toHaveURL('/?colour=blue')
    await expect(page.getByRole('link', { name: 'Take away Blue' })).toBeVisible()
    await expect.poll(async () => Math.abs(present(await blue.boundingBox()).y - before)).toBeLessThan(4)
    expect(await page.evaluate(() => (window as { stays?: boolean }).stays)).toBe(true)
  })

  test('say when nothing fits, and how something will', async ({ page }) => {
    await open(page, '/yarn/dk?price=0-0.01')
    await expect(page.getByRole('heading', { name: 'Nothing fits all of that' })).toBeVisible()
    await page.getByRole('link', { name: 'Clear all filters' }).click()
    await expect(page).toHaveURL('/yarn/dk')
    await expect(page.getByRole('article').first()).toBeVisible()
  })

  test('narrow a search and the top-rated list, too', async ({ page, api }) => {
    await open(page, '/search/wool')
    await page
      .getByRole('region', { name: 'Filters' })
      .getByRole('checkbox', { name: /^Yarn / })
      .check()
    await expect(page).toHaveURL('/search/wool?kind=yarn')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search Results for "wool":')
    await open(page, '/top-rated?fibre=silk')
    await expect(count(page)).toHaveText(`${await totalOf(api, { fibre: ['SILK'] })} products`)
  })

  test('sort, and page on as sorted and narrowed', async ({ page }) => {
    await open(page, '/yarn')
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Price, low to high')
    await expect(page).toHaveURL('/yarn?sort=price')
    const prices = async () =>
      (await page.getByRole('article').allInnerTexts()).map(text => Number(present(/\$(\d+\.\d\d)/.exec(text))[1]))
    await expect
      .poll(async () => {
        const shown = await prices()
        return shown.length > 1 && shown.join() === shown.toSorted((a, b) => a - b).join()
      })
      .toBe(true)
    await page.getByRole('link', { name: 'Page 2', exact: true }).click()
    await expect(page).toHaveURL('/yarn/page/2?sort=price')
    await page
      .getByRole('region', { name: 'Filters' })
      .getByRole('checkbox', { name: /^Merino / })
      .check()
    await expect(page).toHaveURL('/yarn?fibre=merino&sort=price')
  })

  test('are a form before and without JavaScript', async ({ browser, baseURL }) => {
    const page = await browser.newPage({ javaScriptEnabled: false })
    await page.goto(`${baseURL}/yarn?weight=dk`)
    const panel = page.getByRole('region', { name: 'Filters' })
    await expect(panel.getByRole('checkbox', { name: /^DK / })).toBeChecked()
    await panel.getByRole('checkbox', { name: /^Lace / }).check()
    await panel.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page.getByRole('link', { name: 'Take away Lace' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Take away DK' })).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search products' }).fill('linen')
    await page.getByRole('searchbox', { name: 'Search products' }).press('Enter')
    await expect(page).toHaveURL(`${baseURL}/search/linen`)
    await page.close()
  })
})

test.describe('a shelf', () => {
  test('is rendered on the server, for people and for machines', async ({ request, baseURL, api }) => {
    const html = await (await request.get('/yarn/dk')).text()
    expect(html).toMatch(/<h1[^>]*>DK yarn<\/h1>/)
    expect(html).toContain('21 to 24 stitches to 10 cm on 3.75 to 4.5 mm needles')
    expect(html).toContain(`<link rel="canonical" href="${baseURL}/yarn/dk"`)
    expect(html).not.toContain('noindex')
    const data = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json]) =>
      JSON.parse(present(json)),
    )
    const listed = data.find(each => each['@type'] === 'ItemList').itemListElement as { name: string; url: string }[]
    expect(listed.length).toBeGreaterThan(3)
    let sold = 0
    for (const [index, each] of listed.entries()) {
      const id = nth(present(/\/product\/([^/]+)/.exec(each.url)), 1)
      const { product } = await api.ask('query ($id: ID!) { product(id: $id) { name facts { kind weightClass } } }', {
        id,
      })
      // Products of other tests are taken off sale when those tests end.
      if (product) {
        expect(product).toMatchObject({ name: each.name, facts: { kind: 'YARN', weightClass: 'DK' } })
        sold++
      }
      expect(each).toEqual({
        '@type': 'ListItem',
        position: index + 1,
        name: each.name,
        url: baseURL + paths.product(id, each.name),
      })
    }
    expect(sold).toBeGreaterThan(3)
    expect(data.find(each => each['@type'] === 'BreadcrumbList').itemListElement).toMatchObject([
      { name: 'Home', item: `${baseURL}/` },
      { name: 'Yarn', item: `${baseURL}/yarn` },
      { name: 'DK', item: `${baseURL}/yarn/dk` },
    ])
    // There are too many filtered lists for search engines.
    expect(await (await request.get('/yarn/dk?colour=blue&sort=price')).text()).toContain(
      `<link rel="canonical" href="${baseURL}/yarn/dk"`,
    )
  })

  test('has other names, and is in the sitemap when something lies on it', async ({ baseURL }) => {
    const get = (path: string) => fetch(baseURL + path, { redirect: 'manual' })
    const aran = await get('/yarn/aran/page/2?colour=blue')
    expect(aran.status).toBe(301)
    expect(aran.headers.get('location')).toBe('/yarn/worsted/page/2?colour=blue')
    for (const nothing of ['/yarn/zeppelin', '/yarn/dk/merino', '/needles/dk', '/yarn/constructor'])
      expect((await get(nothing)).status, nothing).toBe(404)
    const sitemap = await (await get('/sitemap.xml')).text()
    for (const path of [
      '/yarn',
      '/yarn/dk',
      '/yarn/merino',
      '/yarn/blue',
      '/needles',
      '/hooks',
      '/kits',
      '/patterns',
      '/notions',
      '/gift-cards',
    ])
      expect(sitemap).toContain(`<loc>${baseURL}${path}</loc>`)
    expect(sitemap).not.toContain('/yarn/qiviut<')
    expect(await (await get('/yarn/qiviut')).text()).toContain('noindex')
    expect(await (await get('/robots.txt')).text()).not.toContain('/yarn')
  })

  test('is found in the menu, which opens and closes by keyboard', { tag }, async ({ page }) => {
    await open(page, '/')
    const opener = page.getByRole('button', { name: isPhone(page) ? 'Shop by shelf' : 'Yarn', exact: true })
    await opener.focus()
    await page.keyboard.press('Enter')
    const link = page.getByRole('navigation', { name: 'Shelves' }).getByRole('link', { name: 'Merino', exact: true })
    await expect(link).toBeVisible()
    await expectNoBarriers(page)
    await page.keyboard.press('Escape')
    await expect(link).toBeHidden()
    await expect(opener).toBeFocused()
    await page.keyboard.press('Enter')
    await link.click()
    await expect(page).toHaveURL('/yarn/merino')
    await expect(page.getByRole('heading', { level: 1, name: 'Merino yarn' })).toBeVisible()
    await expect(link).toBeHidden()
  })

  test('has no barriers, nor has its drawer', { tag }, async ({ page }) => {
    await open(page, '/yarn/dk?colour=blue')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoBarriers(page)
    await expectNoSidewaysScroll(page)
    if (!isPhone(page)) return
    const panel = await filters(page)
    await expect(panel.getByRole('button', { name: 'Close filters' })).toBeFocused()
    await expectNoBarriers(page)
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
    await expect(page.getByRole('button', { name: /^Filter/ })).toBeFocused()
  })
})

test.describe('suggestions', () => {
  test('are walked through and chosen by keyboard', async ({ page }) => {
    await open(page, '/')
    await box(page).fill('merin')
    const list = page.getByRole('listbox', { name: 'Suggestions' })
    const options = list.getByRole('option')
    await expect(options.filter({ hasText: 'Merino yarn' })).toBeVisible()
    await expect(box(page)).toHaveAttribute('aria-expanded', 'true')
    await expectNoBarriers(page)
    await box(page).press('ArrowDown')
    await expect(options.first()).toHaveAttribute('aria-selected', 'true')
    await expect(box(page)).toHaveAttribute('aria-activedescendant', present(await options.first().getAttribute('id')))
    await box(page).press('Escape')
    await expect(list).toBeHidden()
    await expect(box(page)).toHaveValue('merin')
    await box(page).press('ArrowUp')
    await box(page).press('ArrowUp')
    await expect(options.last()).toHaveAttribute('aria-selected', 'true')
    const name = await options.last().locator('span').last().innerText()
    await box(page).press('Enter')
    await expect(page).toHaveURL(/\/product\//)
    expect(name).toBeTruthy()
  })

  test('mend typing errors, and a finger picks them', async ({ page }) => {
    await open(page, '/')
    await box(page).fill('merno')
    await page.getByRole('option', { name: /Did you mean merino/ }).click()
    await expect(page).toHaveURL('/search/merino')
    await expect(box(page)).toHaveValue('merino')
  })

  test('begin with what was searched for in this browser, until it is cleared', { tag }, async ({ page }) => {
    await open(page, '/')
    await box(page).fill('linen')
    await box(page).press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search Results for "linen":')
    await box(page).fill('')
    await expect(page.getByRole('listbox', { name: 'Recent searches' }).getByRole('option')).toHaveText(['linen'])
    expect(await stored(page, 'searches')).toEqual(['linen'])
    await page.getByRole('button', { name: 'Clear recent searches' }).click()
    await expect(page.getByRole('listbox')).toBeHidden()
    expect(await stored(page, 'searches')).toBeNull()
  })
})

test('an administrator sees what is searched for and not found, and says what means the same', async ({
  page,
  api,
  admin,
}) => {
  const word = `wolle${unique().replaceAll(/\d/g, digit => present('abcdefghij'[Number(digit)]))}`
  // Each request comes from a different person, so that it counts: what is searched for most comes first.
  const total = async () =>
    (
      await api.ask('query ($keyword: String) { products(keyword: $keyword) { total } }', { keyword: word }, null, {
        'x-forwarded-for': household(),
      })
    ).products.total
  expect(await total()).toBe(0)
  await signIn(page, admin)
  const row = page.getByRole('row').filter({ hasText: word })
  await expect(async () => {
    expect(await total()).toBe(0)
    await open(page, '/admin/searches?outcome=not_found')
    await expect(row).toBeVisible({ timeout: 3_000 })
  }).toPass()
  await expectNoBarriers(page)
  await row.getByRole('button', { name: `Add synonym … of ${word}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a synonym' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Please give two ways to say it, or more.')).toBeVisible()
  await dialog.getByLabel('Words').fill(`${word}\nlinen`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(total).toBeGreaterThan(0)
  await page.getByRole('searchbox', { name: 'Search synonyms' }).fill(word)
  await page.getByRole('button', { name: new RegExp(`^Remove .*${word}`) }).click()
  await expect(page.getByText(`No synonyms with “${word}”.`)).toBeVisible()
  await expect.poll(total).toBe(0)
})
