import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import { ADDRESS, expect, fillCart, open, test, toasts } from './fixtures.ts'

test(
  'an address saved at checkout is in the book, is changed there, and is offered for the next order',
  { tag: '@phone' },
  async ({ page, api, shopper }) => {
    await fillCart(page, [{ product: await api.find('Barrel Row Counter in Mint'), quantity: 1 }])
    await open(page, '/shipping')
    await expect(page.getByLabel('Name')).toHaveValue(shopper.name)
    await page.getByLabel('Address (optional)').fill(ADDRESS.address)
    await page.getByLabel('Country').fill(ADDRESS.country)
    await page.getByLabel('Save this address in my address book').check()
    await page.getByLabel('What to call it').fill('Home')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Review your order' })).toBeVisible()

    await open(page, '/profile')
    await page.getByRole('link', { name: 'Your address book' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Your address book' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 2, name: 'Home' })).toBeVisible()
    await expectNoBarriers(page)
    await page.getByRole('button', { name: 'Add an address' }).click()
    await page.getByLabel('What to call it').fill('Mill')
    await page.getByLabel('Name').fill('Grace Garter')
    await page.getByLabel('Country').fill('Norway')
    await expectNoBarriers(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Save address' }).click()
    await page.getByRole('button', { name: 'Make default Mill' }).click()
    await expect(page.getByRole('heading', { level: 2, name: 'Mill Default' })).toBeVisible()

    await fillCart(page, [{ product: await api.find('Barrel Row Counter in Mint'), quantity: 1 }])
    await open(page, '/shipping')
    await expect(page.getByLabel('Name'), 'the default to begin with').toHaveValue('Grace Garter')
    await page.getByLabel('Your address book').selectOption('Home')
    await expect(page.getByLabel('Address (optional)')).toHaveValue(ADDRESS.address)

    await open(page, '/profile/addresses')
    await page.getByRole('button', { name: 'Remove Home' }).click()
    await page.getByRole('button', { name: 'Remove address' }).click()
    await expect(toasts(page).getByText('Address removed.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 2, name: 'Home' })).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1, name: 'Your address book' })).toBeFocused()
  },
)
