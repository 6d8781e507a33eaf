import { AxeBuilder } from '@axe-core/playwright'
import type { APIRequestContext, Page } from '@playwright/test'
import { paths } from '../paths.ts'
import { expect, open, signIn, test, toasts, unique } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' }, permissions: ['clipboard-read', 'clipboard-write'] })

/** Nothing wrong with the page as it stands, in light and in dark, and nothing beside the window. */
async function expectNoBarriers(page: Page) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.waitForFunction(() => document.getAnimations().every(animation => animation.playState !== 'running'))
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)), colorScheme).toEqual([])
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 'wider than the window').toBe(0)
}

/** What a partner's program is answered. */
async function asPartner(request: APIRequestContext, key: string, query: string) {
  const answer = await request.post('/graphql', { data: { query }, headers: { authorization: `Bearer ${key}` } })
  return { status: answer.status(), ...(await answer.json()) }
}

test('a partner’s key opens what its scopes say, and nothing after it is revoked @phone', async ({ page, api, admin, request }) => {
  const partner = await api.register(`Partner ${unique()}`)
  const name = `Warehouse ${unique()}`
  await signIn(page, admin)
  await open(page, paths.adminPartners())
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('combobox', { name: 'Acts for' }).fill(partner.email)
  await page.getByRole('option', { name: new RegExp(partner.name) }).click()
  await page.getByLabel('Read orders').check()
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Create key' }).click()

  // By keyboard alone: the first thing in the dialog copies the key.
  const copy = page.getByRole('button', { name: 'Copy API key' })
  await expect(copy).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Close without copying the key?')).toBeVisible()
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Back to the key' }).click()
  await copy.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Copied.' })).toBeAttached()
  const key = await page.evaluate(() => navigator.clipboard.readText())
  expect(key).toMatch(/^sk_[\w-]{43}$/)
  await expect(page.getByRole('group', { name: 'Try it' })).toContainText(`Bearer ${key}`)
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(key)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Create API key' })).toBeFocused()

  expect((await asPartner(request, key, '{ viewer { email } myOrders { id } }')).data).toEqual({ viewer: { email: partner.email }, myOrders: [] })
  expect(await asPartner(request, key, '{ products { total } }')).toMatchObject({ status: 403, errors: [{ message: 'This key lacks the scope READ_CATALOGUE.' }] })

  await page.reload()
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText(key.slice(0, 8))
  await expect(row).toContainText('just now')
  await expectNoBarriers(page)
  await row.getByRole('button', { name: `Revoke ${name}` }).click()
  await expect(page.getByRole('alertdialog')).toContainText(name)
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(toasts(page)).toContainText('API key revoked successfully.')
  await expect(row).toContainText('Revoked')
  expect(await asPartner(request, key, '{ myOrders { id } }')).toMatchObject({ status: 401, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })

  await page.goto(`${paths.adminAudit()}?entity=api_key`)
  const log = page.getByRole('listitem').filter({ hasText: name })
  await expect(log.filter({ hasText: /Revoked API key/i })).toBeVisible()
  await expect(log.filter({ hasText: /Created API key/i })).toContainText('Read orders')
})
