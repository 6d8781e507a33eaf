import type { Page } from '@playwright/test'
import { violationsOn } from './barriers.ts'
import { ADMIN, expect, test } from './fixtures.ts'
import { present } from '#schema/rules/present'

async function expectAccessible(page: Page) {
  // GraphiQL's tabs hold buttons.
  const violations = await violationsOn(page, { rules: { 'nested-interactive': { enabled: false } } })
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

/** Collects what the browser refused, and what it fetched from another host. */
function watch(page: Page, baseURL: string) {
  const complaints: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  page.on('request', request => {
    if (!request.url().startsWith(baseURL) && !request.url().startsWith('data:')) complaints.push(request.url())
  })
  return complaints
}

/** The editor shows the lines that are in sight, with spaces that do not break. */
const textOf = async (page: Page, pane: string) =>
  (await page.locator(`.graphiql-${pane} .view-lines`).first().innerText()).replaceAll('\u00a0', ' ')
const expectResult = (page: Page, text: string) =>
  expect.poll(() => textOf(page, 'response'), { timeout: 20_000 }).toContain(text)

test('a partner tries the API in the browser', async ({ page, baseURL, api }) => {
  const complaints = watch(page, present(baseURL))
  const token = page.getByLabel('Token or key')
  const run = () => page.getByRole('button', { name: 'Execute query' }).click()
  const open = async (example: string, tab: string) => {
    await page.getByRole('button', { name: example, exact: true }).click()
    await expect(page.getByRole('tab', { name: tab, selected: true })).toBeVisible()
  }

  await page.goto('/graphql')
  await expect.poll(() => textOf(page, 'query-editor'), { timeout: 40_000 }).toContain('productsConnection')
  await page.getByRole('textbox', { name: 'Editor content' }).first().focus()
  await page.keyboard.press('Control+Enter')
  await expectResult(page, '"productsConnection"')
  await expectAccessible(page)

  await open('My orders', 'MyOrders')
  await run()
  await expectResult(page, '"viewer": null')
  await token.fill(`authorization: Bearer ${(await api.register()).token}`)
  await run()
  await expectResult(page, '"viewer": {')

  await open('Orders as they change', 'OrdersChanged')
  await run()
  await expectResult(page, 'FORBIDDEN')
  const admin = (await api.login(ADMIN)).token
  await token.fill(admin)
  await run()
  await expectResult(page, '"ordersChanged": {')
  await page.getByRole('button', { name: 'Stop query' }).click()

  // Neither the token nor what is in the headers box is kept.
  await open('How prices are made', 'Prices')
  await page.getByRole('button', { name: 'Headers' }).click()
  await page.getByRole('region', { name: 'Headers' }).getByRole('textbox').focus()
  await page.keyboard.insertText('{ "x-note": "nobody" }')
  // GraphiQL takes that long to notice what was typed.
  await page.waitForTimeout(1_500)
  await run()
  await expectResult(page, '"pricingPolicy"')
  await page.waitForTimeout(1_000)
  expect(JSON.stringify(await page.evaluate(() => ({ ...localStorage })))).not.toMatch(new RegExp(`nobody|${admin}`))

  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
  await page.getByRole('link', { name: 'Query', exact: true }).click()
  await page.getByRole('link', { name: 'Product', exact: true }).first().click()
  await expect(page.getByText('Something the shop sells')).toBeVisible()
  await expectAccessible(page)

  expect(complaints).toEqual([])
})

test('the REST calls can be read', async ({ page }) => {
  await page.goto('/api/docs')
  await page.getByText('Place an order').click()
  await expect(page.locator('#placeOrder').getByText('It contradicts what is there')).toBeVisible()
  await expectAccessible(page)
})
