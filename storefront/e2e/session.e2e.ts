import type { Page } from '@playwright/test'
import sharp from 'sharp'
import {
  type Account,
  answer,
  type Api,
  expect,
  open,
  openWhole,
  promoted,
  setRole,
  signIn,
  test,
  toasts,
  unique,
} from './fixtures.ts'

test.describe.configure({ mode: 'parallel' })

/** Ends the session as time or another device would: the browser does not know. */
const endSession = (api: Api, who: Account) => api.ask('mutation { logout }', {}, who)
/** The operations that a product's editor sends by itself. */
const OF_THE_EDITOR = ['FindGroups', 'Categories', 'ProductHistory', 'Annotation']
const again = (page: Page) => page.getByRole('alertdialog', { name: 'Please sign in again' })

async function signInAgain(page: Page, { email, password }: Pick<Account, 'email' | 'password'>) {
  await again(page).getByLabel('Email').fill(email)
  await again(page).getByLabel('Password').fill(password)
  await again(page).getByRole('button', { name: 'Sign In' }).click()
}

test.describe('a session that ends while somebody types', () => {
  test('keeps a review, whoever else signs in, and sends it when its author is back @phone', async ({
    page,
    api,
    makeProduct,
    quiet,
  }) => {
    quiet.expects(/401/)
    const [author, other, product] = [await api.register(), await api.register('Somebody Else'), await makeProduct()]
    await signIn(page, author)
    await openWhole(page, `/product/${product.id}`, 'StashPlaces', 'ViewerReview')
    await page.getByRole('button', { name: 'Write a customer review' }).click()
    const dialog = page.getByRole('dialog', { name: 'Write a customer review' })
    await dialog.getByRole('radio').nth(3).press('Space')
    await dialog.getByLabel('Comment').fill('Typed with love.')
    await endSession(api, author)
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(again(page)).toContainText('Your session has expired. Please sign in to go on.')

    await signInAgain(page, other)
    await expect(again(page).getByText(`This page belongs to ${author.email}.`)).toBeVisible()
    await again(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(again(page)).toBeHidden()
    await expect(dialog.getByLabel('Comment')).toHaveValue('Typed with love.')

    await dialog.getByRole('button', { name: 'Submit' }).click()
    await signInAgain(page, { ...author, password: 'wrong' })
    await expect(again(page)).toBeVisible()
    await signInAgain(page, author)
    await expect(toasts(page).getByText('Review submitted successfully.')).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Typed with love.')).toBeVisible()
  })

  test('keeps a product’s changes, and saves them', async ({ page, api, admin, makeProduct, quiet }) => {
    quiet.expects(/401/)
    const product = await makeProduct()
    const owner = await promoted(api, admin)
    await signIn(page, owner)
    await openWhole(page, `/admin/product/${product.id}/edit`, ...OF_THE_EDITOR)
    const name = `Renamed ${unique()}`
    await page.getByLabel('Name').fill(name)
    await endSession(api, owner)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await again(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByLabel('Name')).toHaveValue(name)
    await expect(page.getByText('Not saved yet')).toBeVisible()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await signInAgain(page, owner)
    await expect(toasts(page).getByText('Product updated successfully.')).toBeVisible()
    expect((await api.product(product.id)).name).toBe(name)
  })

  test('keeps a profile’s changes, and saves them', async ({ page, api, quiet }) => {
    quiet.expects(/401/)
    const nell = await api.register()
    await signIn(page, nell)
    await openWhole(page, '/profile', 'MyAccount', 'MyOrders', 'OwnIdentities', 'StashPlaces')
    await page.getByLabel('Name').fill('Nell Purl')
    await endSession(api, nell)
    await page.getByRole('button', { name: 'Update' }).click()
    await signInAgain(page, nell)
    await expect(toasts(page).getByText('Profile updated successfully.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Nell Purl' })).toBeVisible()
  })
})

test('an upload and an invoice wait for a session that has ended, too', async ({
  page,
  api,
  admin,
  makeProduct,
  quiet,
}) => {
  quiet.expects(/401/)
  const product = await makeProduct()
  const owner = await promoted(api, admin)
  await signIn(page, owner)
  await openWhole(page, `/admin/product/${product.id}/edit`, ...OF_THE_EDITOR)
  await expect(page.getByLabel('Name')).toHaveValue(product.name)
  await endSession(api, owner)
  const picture = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#7a6a8c' } })
    .png()
    .toBuffer()
  await page
    .getByLabel(/^Drop a picture here/)
    .setInputFiles({ name: 'ball.png', mimeType: 'image/png', buffer: picture })
  await expect(again(page).getByLabel('Password')).toBeFocused()
  await signInAgain(page, owner)
  await expect(toasts(page).getByText('Image uploaded successfully.')).toBeVisible()

  const buyer = await api.register()
  const order = await api.placeOrder(buyer, [{ product, quantity: 1 }])
  await signIn(page, buyer)
  await openWhole(page, `/order/${order.id}`, 'StashPlaces', 'PaypalConfig', 'OrderChanged')
  await expect(page.getByRole('button', { name: 'Download PDF' })).toBeVisible()
  await endSession(api, buyer)
  await page.getByRole('button', { name: 'Download PDF' }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), signInAgain(page, buyer)])
  expect(download.suggestedFilename()).toMatch(/^invoice-.*\.pdf$/)
})

test('a shop that asks for a second factor leads from the admin to where it is set up', async ({
  page,
  api,
  admin,
  quiet,
}) => {
  quiet.expects(/403/)
  const owner = await promoted(api, admin)
  await signIn(page, owner)
  // Answers as a shop with ADMIN_SECOND_FACTOR=required does when something is for administrators.
  const errors = [{ message: 'A second factor, please.', extensions: { code: 'SECOND_FACTOR_MISSING' } }]
  await answer(page, 'AdminProducts', { status: 403, json: { errors } })
  await open(page, '/admin/products')
  await expect(page).toHaveURL('/profile?redirect=%2Fadmin%2Fproducts')
  const section = page.getByRole('region', { name: 'Second factor' })
  await expect(section).toContainText('This shop asks its administrators for a second factor.')
  await expect(section).toBeInViewport()
})

test('a changed role reaches a page that is open', async ({ page, api, admin, quiet }) => {
  quiet.expects(/403/)
  const account = await api.register(`Helper ${unique()}`)
  await signIn(page, account)
  await open(page, '/cart')
  await expect(page.getByRole('button', { name: account.name })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Admin' })).toHaveCount(0)
  await setRole(api, admin, account, true)
  // If somebody comes back twice within a moment, the page asks the shop only once.
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(page.getByRole('button', { name: 'Admin' })).toBeVisible({ timeout: 2_500 })
  }).toPass()

  // Whatever it asks for later would be refused and end the visit before the press does.
  await openWhole(page, '/admin/users', 'AdminUsers', 'UserStats')
  await expect(page.getByRole('navigation', { name: 'Admin' })).toBeVisible()
  await setRole(api, admin, account, false)
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Reviews' }).click()
  await expect(toasts(page).getByText('Only administrators can open that page.')).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('button', { name: 'Admin' })).toHaveCount(0)
})
