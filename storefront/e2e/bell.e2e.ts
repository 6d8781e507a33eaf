import type { Page } from '@playwright/test'
import { expectNoBarriers } from './barriers.ts'
import { arrived, expect, freshEmail, open, test } from './fixtures.ts'
import { present } from '#schema/rules/present'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('a visitor asks to be told, confirms by the letter, and gets one when there is stock again', async ({
  page,
  makeProduct,
  changeProduct,
}) => {
  const yarn = await makeProduct({ countInStock: 0 })
  const email = freshEmail()
  await open(page, `/product/${yarn.id}`)
  await page.getByLabel('Your email, to be told once').fill('nell')
  await page.getByRole('button', { name: 'Tell me when it is back' }).click()
  await expect(page.getByText('Please enter a valid email address.')).toBeVisible()
  await expectNoBarriers(page)
  await page.getByLabel('Your email, to be told once').fill(email)
  await page.getByRole('button', { name: 'Tell me when it is back' }).click()
  await page.getByRole('link', { name: 'read the email here' }).click()

  await expect(page).toHaveURL('/dev/mailbox')
  const link = page
    .getByRole('article')
    .filter({ hasText: email })
    .getByRole('link', { name: /bell\/confirm/ })
  await arrived(page, link)
  const address = present(await link.getAttribute('href'))
  await open(page, address)
  await expect(page, 'the token is taken out of the address').toHaveURL('/bell/confirm')
  await page.getByRole('button', { name: 'Yes, tell me' }).click()
  await expect(heading(page)).toHaveText('We will tell you')

  await changeProduct(yarn, { countInStock: 3 })
  const back = page.getByRole('article', { name: `“${yarn.name}” is back`, exact: true })
  await arrived(page, back)
  await open(page, present(await back.getByRole('link', { name: /\/product\// }).getAttribute('href')))
  await expect(heading(page)).toHaveText(yarn.name)
  await expect(page.getByRole('button', { name: 'Add to Cart' })).toBeEnabled()
})
