import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { arrived, expect, open, signIn, test } from './fixtures.ts'
import { present } from '#schema/rules/present'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('the newsletter is confirmed by mail, brings a code that the cart takes, and is left by a link', async ({
  page,
  api,
  shopper,
  browser,
  admin,
}) => {
  const product = await api.find('Horn Buttons, Card of Eight')
  await open(page, '/')
  await page.getByLabel('Email address').fill(shopper.email)
  await page.getByRole('button', { name: 'Sign me up' }).click()
  const dialog = page.getByRole('dialog', { name: "You're In!" })
  await expect(dialog).toContainText(shopper.email)
  await dialog.getByRole('link', { name: 'read the email here' }).click()

  await expect(page).toHaveURL('/dev/mailbox')
  const letters = page.getByRole('article').filter({ hasText: shopper.email })
  const link = letters.getByRole('link', { name: /newsletter\/confirm/ })
  await arrived(page, link)
  const address = present(await link.getAttribute('href'))
  await open(page, address)
  await expect(page, 'the token is taken out of the address').toHaveURL('/newsletter/confirm')
  await page.getByRole('button', { name: 'Yes, write to me' }).click()
  await expect(heading(page)).toHaveText('Welcome to the circle')
  await page.getByRole('link', { name: 'Open the mailbox' }).click()
  await expect(page).toHaveURL('/dev/mailbox')
  const welcome = letters.filter({ hasText: 'Welcome: your code for 15% off' })
  await arrived(page, welcome)
  const code = present(/WELCOME-[A-Z2-9]{10}/.exec(present(await welcome.textContent())))[0]
  const leave = present(await welcome.getByRole('link', { name: /newsletter\/unsubscribe/ }).getAttribute('href'))

  await open(page, `/product/${product.id}`)
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(heading(page)).toHaveText('Your cart')
  await page.getByLabel('Discount code').fill(code)
  await page.getByLabel('Discount code').press('Enter')
  await expect(page.getByRole('button', { name: `Remove code ${code}` })).toBeVisible()

  const keeper = await browser.newPage()
  await signIn(keeper, admin)
  await open(keeper, '/admin')
  const [file] = await Promise.all([
    keeper.waitForEvent('download'),
    keeper.getByRole('region', { name: 'Newsletter' }).getByRole('button', { name: 'Download the list' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('newsletter-subscribers.csv')
  const list = await readFile(await file.path(), 'utf8')
  const line = list.split('\r\n').find(each => each.includes(shopper.email))
  expect(present(line).endsWith(`,${leave}`), 'the list has the link that takes each address off it').toBe(true)
  await keeper.close()

  await open(page, leave)
  await page.getByRole('button', { name: 'Take me off the list' }).click()
  await expect(heading(page)).toHaveText('You are off the list')
})
