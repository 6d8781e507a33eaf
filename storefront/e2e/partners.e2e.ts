import type { APIRequestContext, Page } from '@playwright/test'
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { paths } from '../paths.ts'
import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import { expect, open, promoted, signIn, test, toasts, unique } from './fixtures.ts'
import { nth, present } from '#schema/rules/present'

test.use({ contextOptions: { reducedMotion: 'reduce' }, permissions: ['clipboard-read', 'clipboard-write'] })

/** axe finds nothing wrong with the page as it is now, and it does not scroll sideways. */
async function expectWell(page: Page) {
  await expectNoBarriers(page, 'every rule')
  await expectNoSidewaysScroll(page)
}

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** What the shop answers a partner's program. */
async function asPartner(request: APIRequestContext, key: string, query: string) {
  const answer = await request.post('/graphql', { data: { query }, headers: { authorization: `Bearer ${key}` } })
  return { status: answer.status(), ...(await answer.json()) }
}

test('a partner’s key opens what its scopes say, and nothing after it is revoked @phone', async ({
  page,
  api,
  admin,
  request,
}) => {
  const partner = await api.register(`Partner ${unique()}`)
  const name = `Warehouse ${unique()}`
  await signIn(page, admin)
  await open(page, paths.adminPartners())
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('combobox', { name: 'Acts for' }).fill(partner.email)
  await page.getByRole('option', { name: new RegExp(partner.name) }).click()
  await page.getByLabel('Read orders').check()
  await expectWell(page)
  await page.getByRole('button', { name: 'Create key' }).click()

  // By keyboard alone: the first thing in the dialog copies the key.
  const copy = page.getByRole('button', { name: 'Copy API key' })
  await expect(copy).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Close without copying it?')).toBeVisible()
  await expectWell(page)
  await page.getByRole('button', { name: 'Go back' }).click()
  await copy.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Copied.' })).toBeAttached()
  const key = await copied(page)
  expect(key).toMatch(/^sk_[\w-]{43}$/)
  await expect(page.getByRole('group', { name: 'Try it' })).toContainText(`Bearer ${key}`)
  await expectWell(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(key)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Create API key' })).toBeFocused()

  expect((await asPartner(request, key, '{ viewer { email } myOrders { id } }')).data).toEqual({
    viewer: { email: partner.email },
    myOrders: [],
  })
  expect(await asPartner(request, key, '{ products { total } }')).toMatchObject({
    status: 403,
    errors: [{ message: 'This key lacks the scope READ_CATALOGUE.' }],
  })

  await page.reload()
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText(key.slice(0, 8))
  await expect(row).toContainText('just now')
  await expectWell(page)
  await row.getByRole('button', { name: `Revoke ${name}` }).click()
  await expect(page.getByRole('alertdialog')).toContainText(name)
  await expectWell(page)
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(toasts(page)).toContainText('API key revoked successfully.')
  await expect(row).toContainText('Revoked')
  expect(await asPartner(request, key, '{ myOrders { id } }')).toMatchObject({
    status: 401,
    errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
  })

  await page.goto(`${paths.adminAudit()}?entity=api_key`)
  const log = page.getByRole('listitem').filter({ hasText: name })
  await expect(log.filter({ hasText: /Revoked API key/i })).toBeVisible()
  await expect(log.filter({ hasText: /Created API key/i })).toContainText('Read orders')
})

interface Received {
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** A partner's server: keeps what it is sent, and answers with `status`. */
async function listen() {
  const partner = { status: 500, received: [] as Received[], url: '', close: () => server.close() }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => (body += chunk))
    request.on('end', () => {
      partner.received.push({ headers: request.headers, body })
      response.writeHead(partner.status).end(partner.status === 500 ? 'out of yarn' : '')
    })
  })
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  partner.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${unique()}`
  return partner
}

/** The signature that Standard Webhooks asks for. */
function signatureOf({ headers, body }: Received, secret: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64')}`
}

test('a partner’s server is sent events, and the log tells how it went @phone', async ({ page, admin }) => {
  const partner = await listen()
  try {
    await signIn(page, admin)
    await open(page, paths.adminPartners())
    await page.getByRole('navigation', { name: 'Partners' }).getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Address').fill(partner.url.replace('http:', 'ftp:'))
    // An event that no other test causes meanwhile, so that only the test event is sent.
    await dialog.getByLabel('Order needs attention').check()
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    await expect(dialog.getByText('The address must start with https://.')).toBeVisible()
    await expectWell(page)
    await dialog.getByLabel('Address').fill(partner.url)
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByRole('button', { name: 'Copy Signing secret' }).click()
    await expect.poll(() => copied(page)).toMatch(/^whsec_/)
    const secret = await copied(page)
    await expectWell(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('127.0.0.1')

    await page.getByRole('button', { name: 'Send a test event' }).click()
    await expect(toasts(page)).toContainText('The test event failed. It answered 500.')
    await expect(page.getByText('out of yarn').first()).toBeVisible()
    await expectWell(page)
    partner.status = 204
    await page.getByRole('button', { name: 'Replay' }).click()
    const line = page.getByRole('link', { name: /^Test event/ })
    await expect(line).toContainText('204 after')
    await expect(line).toContainText('Delivered')
    const [first, ...rest] = partner.received
    expect(present(first).headers['webhook-signature']).toBe(signatureOf(present(first), secret))
    expect(new Set(rest.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([present(first).headers['webhook-id']]),
    )

    await page.getByRole('navigation', { name: 'Deliveries' }).getByRole('link', { name: 'Failed' }).click()
    await expect(page.getByText('Show all deliveries')).toBeVisible()

    await page.getByRole('button', { name: 'Pause …' }).click()
    await page.getByRole('button', { name: 'Pause webhook' }).click()
    await expect(page.getByText('It is paused: nothing is sent')).toBeVisible()
    await expectWell(page)
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    await page.getByRole('button', { name: 'Rotate …' }).click()
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    await page.getByRole('button', { name: 'Copy Signing secret' }).click()
    await expect.poll(() => copied(page)).not.toBe(secret)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText('The one before signs along until')).toBeVisible()

    await page.getByRole('button', { name: 'Delete …' }).click()
    await page.getByRole('button', { name: 'Delete webhook' }).click()
    await expect(toasts(page)).toContainText('Webhook deleted successfully.')
    await expect(page).toHaveURL(paths.adminWebhooks())
    await expect(page.getByRole('link', { name: partner.url })).toHaveCount(0)
    await expectWell(page)
  } finally {
    partner.close()
  }
})

test('all reviews are written into a file, which the owner downloads and takes away @phone', async ({
  page,
  api,
  admin,
}) => {
  const owner = await promoted(api, admin)
  const written = async () =>
    (await api.ask('{ reviewsConnection { totalCount } }', {}, owner)).reviewsConnection.totalCount
  await signIn(page, owner)
  await open(page, paths.adminExports())
  await page.getByRole('button', { name: 'New export' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'New export' })
  await dialog.getByLabel('What').selectOption('Reviews')
  await expectWell(page)
  await dialog.getByLabel('Fields and filter').fill(' ')
  await dialog.getByRole('button', { name: 'Export' }).click()
  await expect(dialog.getByText('Query is required.')).toBeVisible()
  await dialog.getByLabel('Fields and filter').fill('{ reviewsConnection { edges { node { rating shoeSize } } } }')
  await dialog.getByRole('button', { name: 'Export' }).click()
  await expect(dialog.getByText(/shoeSize/).last()).toBeVisible()
  await dialog.getByLabel('Fields and filter').fill('{ reviewsConnection { edges { node { id rating } } } }')
  // Other tests write reviews meanwhile.
  const before = await written()
  await dialog.getByRole('button', { name: 'Export' }).click()
  await expect(dialog).toBeHidden()

  const download = page.getByRole('button', { name: 'Download reviews' })
  await expect(download).toBeVisible()
  await expectWell(page)
  const file = page.waitForEvent('download')
  await download.click()
  expect((await file).suggestedFilename()).toMatch(/^skein-reviews-\d{4}-\d\d-\d\d\.jsonl$/)
  const lines = (await readFile(await (await file).path(), 'utf8')).trimEnd().split('\n')
  expect(JSON.parse(nth(lines, 0))).toEqual({ id: expect.any(String), rating: expect.any(Number) })
  expect(new Set(lines).size).toBe(lines.length)
  expect(lines.length).toBeGreaterThanOrEqual(before)
  expect(lines.length).toBeLessThanOrEqual(await written())

  await page.getByRole('button', { name: 'Delete file of reviews' }).click()
  await expect(toasts(page).getByText('File deleted.')).toBeVisible()
  await expectWell(page)
})
