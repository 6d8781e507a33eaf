import type { Page } from '@playwright/test'
import { arrived, expect, open, test } from './fixtures.ts'
import { present } from '#schema/rules/present'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('the newsletter is confirmed by mail, brings a code that the cart takes, and is left by a link', async ({
  page,
  api,
  shopper,
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

  await open(page, leave)
  await page.getByRole('button', { name: 'Take me off the list' }).click()
  await expect(heading(page)).toHaveText('You are off the list')
})
