import { readFile } from 'node:fs/promises'
import { expectNoBarriers } from './barriers.ts'
import { expect, open, PASSWORD, stored, test } from './fixtures.ts'

test('a shopper takes a copy of their data', async ({ page, shopper }) => {
  await open(page, '/profile')
  await page.getByRole('button', { name: 'Get a copy' }).click()
  const dialog = page.getByRole('dialog', { name: 'A copy of your data' })
  await dialog.getByRole('button', { name: 'Make the copy' }).click()
  await expect(dialog.getByText('Password is required.')).toBeVisible()
  await dialog.getByLabel('Your password').fill('knit one, drop two')
  await dialog.getByRole('button', { name: 'Make the copy' }).click()
  await expect(dialog.getByText('This is not your current password.')).toBeVisible()
  await expect(dialog.getByLabel('Your password')).toBeFocused()
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByLabel('Your password').press('Enter')
  const ready = page.getByRole('dialog', { name: 'Your copy is ready' })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    ready.getByRole('link', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('account.json')
  const copy = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(copy.account[0]).toMatchObject({ email: shopper.email })
})

test('a shopper deletes their account, after a word and the password', async ({ page, shopper, api }) => {
  await open(page, '/profile')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' })
  await expect(dialog.getByLabel('Your password')).toBeVisible()
  await expectNoBarriers(page)
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(dialog.getByText('Please type DELETE.')).toBeVisible()
  await expect(dialog.getByLabel('Type DELETE to go on')).toBeFocused()
  await page.keyboard.type('DELETE')
  await page.keyboard.press('Enter')
  const done = page.getByRole('alertdialog', { name: 'Your account is deleted' })
  await expect(done).toContainText(shopper.email)
  await done.getByRole('button', { name: 'Back to the shop' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  expect(await stored(page, 'userInfo')).toBeNull()
  const { errors } = await api.send('{ viewer { id } }', {}, shopper)
  expect(errors).toMatchObject([{ message: expect.any(String) }])
})
