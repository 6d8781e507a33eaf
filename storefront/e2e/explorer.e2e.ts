import AxeBuilder from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'

async function expectAccessible(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

test('a partner tries the API in the browser', async ({ page }) => {
  const complaints: string[] = []
  page.on('console', message => { if (message.type() === 'error') complaints.push(message.text()) })
  page.on('pageerror', error => complaints.push(error.message))

  await page.goto('/graphql')
  await page.getByRole('button', { name: 'Run' }).click()
  await expect(page.getByRole('status')).toContainText('200')
  await expect(page.getByLabel('Result')).toContainText('"productsConnection"')

  await page.getByLabel('Example').selectOption('Sign in')
  await page.getByRole('button', { name: 'Run' }).click()
  await expect(page.getByLabel('Result')).toContainText('"token"')
  const { token } = JSON.parse((await page.locator('#result').textContent())!).data.login
  await page.getByLabel(/Authorization/).fill(`Bearer ${token}`)
  await page.getByLabel('Example').selectOption({ label: 'My orders (for a signed-in shopper)' })
  await page.getByLabel('Operation').press('Control+Enter')
  await expect(page.getByLabel('Result')).toContainText('"viewer": {')

  await page.getByLabel('Type').fill('Product')
  await expect(page.getByLabel('Schema')).toContainText('Something the shop sells')
  await page.getByRole('button', { name: 'ReviewPage!' }).click()
  await expect(page.getByLabel('Schema')).toContainText('One page of a product')

  await page.getByLabel('Variables').fill('{')
  await page.getByRole('button', { name: 'Run' }).click()
  await expect(page.getByLabel('Result')).toContainText('The variables are no JSON')
  await expectAccessible(page)
  expect(complaints).toEqual([])
})

test('the REST calls can be read', async ({ page }) => {
  await page.goto('/api/docs')
  await page.getByText('Place an order').click()
  await expect(page.locator('#placeOrder').getByText('It contradicts what is there')).toBeVisible()
  await expectAccessible(page)
})
