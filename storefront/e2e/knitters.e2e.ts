import { expectNoBarriers } from './barriers.ts'
import { expect, open, signIn, test } from './fixtures.ts'

test('a knitter tells needle and gauge, another finds it helpful, and the shop answers', async ({
  page,
  api,
  admin,
  shopper,
  makeProduct,
}) => {
  const yarn = await makeProduct()
  await api.review(yarn, await api.register('Rowan Ribber'), { rating: 3, comment: 'Splits a little.' })
  await open(page, `/product/${yarn.id}`)
  await page.getByRole('button', { name: 'Write a customer review' }).click()
  const dialog = page.getByRole('dialog', { name: 'Write a customer review' })
  await dialog.getByRole('radio', { name: '5: Absolute perfection' }).check({ force: true })
  await dialog.getByLabel('Comment').fill('Round as a pebble.')
  await dialog.getByLabel('Needle').fill('bamboo')
  await dialog.getByLabel('Stitches in 10 cm').fill('21')
  await dialog.getByLabel('What did you knit?').fill('A hat for the moor')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(dialog.getByText('Please name one needle')).toBeVisible()
  await dialog.getByLabel('Needle').fill('US 7')
  await expectNoBarriers(page)
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(dialog).toBeHidden()
  const reviews = page.getByRole('region', { name: 'Customer Reviews' })
  const own = reviews.getByRole('listitem').filter({ hasText: 'Round as a pebble.' })
  await expect(own).toContainText('A hat for the moor')
  // Only one system of measures is shown: that of the browser's region, or the one that was chosen.
  await expect(own).toContainText('21 sts in 4 in on US 7', { useInnerText: true })
  await expect(own).not.toContainText(/mm|cm/, { useInnerText: true })
  await page.getByRole('contentinfo').getByRole('button', { name: 'Show metric measures' }).press('Enter')
  await expect(own).toContainText('21 sts in 10 cm on 4.5 mm', { useInnerText: true })
  await expect(own).not.toContainText(/US 7|4 in/, { useInnerText: true })

  const other = await api.register('Ash Aran')
  await signIn(page, other)
  await open(page, `/product/${yarn.id}`)
  await own.getByRole('button', { name: `Helpful: review by ${shopper.name}` }).click()
  await expect(own).toContainText('1 found it helpful')
  await reviews.getByRole('combobox', { name: 'Order of the reviews' }).selectOption('LOWEST')
  await expect(
    reviews
      .getByRole('listitem')
      .filter({ hasText: /Splits|Round/ })
      .first(),
  ).toContainText('Splits')
  await reviews.getByRole('button', { name: '5 stars: 1 review' }).click()
  await expect(reviews.getByText('Splits a little.')).toBeHidden()
  await expect(own).toBeVisible()
  await expectNoBarriers(page)

  await signIn(page, admin)
  await open(page, `/admin/reviews?product=${yarn.id}`)
  await page.getByRole('button', { name: `Answer the review by ${shopper.name}` }).click()
  await page.getByRole('dialog').getByLabel('Answer', { exact: true }).fill('We are glad of it.')
  await page.getByRole('button', { name: 'Save answer' }).click()
  await expect(page.getByText('Our answer: We are glad of it.')).toBeVisible()
  await open(page, `/product/${yarn.id}`)
  await expect(own).toContainText('We are glad of it.')
})
