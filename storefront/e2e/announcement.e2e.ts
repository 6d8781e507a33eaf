import { paths } from '../paths.ts'
import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import { expect, open, signIn, test, toasts, unique } from './fixtures.ts'

// On desktops alone: a shop has one announcement, and two tests would write over each other's.
test('an owner says something above all pages, and takes it down', async ({ page, browser, baseURL, api, admin }) => {
  const text = `On holiday until Monday ${unique()}: orders are sent when we are back`
  const bar = (shop: typeof page) => shop.getByRole('region', { name: 'Announcement' })
  const saved = toasts(page).getByText('The announcement is saved.')
  await signIn(page, admin)
  await page.goto(paths.adminPages())
  await page.getByRole('link', { name: 'Announcement' }).click()
  await expect(page.getByText('Shoppers see none.')).toBeVisible()
  await page.getByLabel('Text').fill(text)
  await page.getByLabel('Where it leads').fill('about')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Please enter a path such as /collections/gifts')).toBeVisible()
  await page.getByLabel('Where it leads').fill(paths.shopPage('about'))
  await page.getByLabel('Until').fill('2001-01-01T00:00')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Shoppers saw it until Jan 1, 2001')).toBeVisible()
  await page.getByLabel('Until').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Shoppers see it.')).toBeVisible()
  await expectNoBarriers(page)
  await expectNoSidewaysScroll(page)

  const visitor = await browser.newContext({ baseURL })
  const shop = await visitor.newPage()
  await open(shop, paths.home())
  await expect(bar(shop)).toHaveText(text)
  await expectNoBarriers(shop)
  await expectNoSidewaysScroll(shop)
  await shop.setViewportSize({ width: 320, height: 700 })
  await expectNoSidewaysScroll(shop)
  await bar(shop).getByRole('link', { name: text }).click()
  await expect(shop).toHaveURL(paths.shopPage('about'))
  await expect(bar(shop)).toHaveText(text)

  // Another administrator is at it, too.
  await page.getByLabel('Text').fill('')
  const { adminAnnouncement } = await api.ask('{ adminAnnouncement { version } }', {}, admin)
  await api.ask(
    'mutation($input: AnnouncementInput!) { updateAnnouncement(input: $input) { userErrors { message } } }',
    { input: { text: 'Sold out', version: adminAnnouncement.version } },
    admin,
  )
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Somebody else changed it meanwhile: “Sold out”.')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(saved.last()).toBeVisible()
  await expect(page.getByText('Shoppers see none.')).toBeVisible()
  await expect
    .poll(async () => {
      await shop.reload()
      return bar(shop).count()
    })
    .toBe(0)
  await visitor.close()
})
