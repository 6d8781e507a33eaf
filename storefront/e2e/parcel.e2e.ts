import { expect, open, signIn, test, toasts } from './fixtures.ts'
import { present } from '#schema/rules/present'

test('an order goes in two parcels, which its shopper follows until both are delivered', async ({
  page,
  browser,
  api,
  shopper,
  admin,
  makeProduct,
}) => {
  const yarn = await makeProduct()
  const { id } = await api.placeOrder(shopper, [{ product: yarn, quantity: 3 }])
  await api.pay(shopper, id)
  await open(page, `/order/${id}`)
  await expect(page.getByText('We are packing your yarn.')).toBeVisible()

  const keeper = await browser.newPage()
  await signIn(keeper, admin)
  await open(keeper, `/order/${id}`)
  const ship = keeper.getByRole('form', { name: 'Ship' })
  await expect(ship.getByLabel(yarn.name)).toHaveValue('3')
  await ship.getByLabel(yarn.name).fill('4')
  await ship.getByRole('button', { name: 'Mark as sent' }).click()
  await expect(ship.getByText('Only 3 left to send.')).toBeVisible()
  await expect(ship.getByLabel(yarn.name)).toBeFocused()
  await ship.getByLabel(yarn.name).fill('2')
  await ship.getByLabel('Carrier').selectOption('UPS')
  await ship.getByLabel('Tracking number').fill('1Z999AA10123456784')
  await expect(ship.getByRole('link', { name: 'www.ups.com' })).toBeVisible()
  await ship.getByRole('button', { name: 'Mark as sent' }).click()
  await expect(toasts(keeper).getByText('Parcel sent.')).toBeVisible()

  await expect(page.getByText('A part of your yarn is on its way.')).toBeVisible()
  const mine = page.getByRole('region', { name: 'Your parcel' })
  await expect(mine.getByRole('link', { name: '1Z999AA10123456784' })).toHaveAttribute(
    'href',
    'https://www.ups.com/track?tracknum=1Z999AA10123456784',
  )
  await expect(mine).toContainText(`2 × ${yarn.name}`)

  // The rest is packed by mistake, unpacked, and sent with a carrier the shop does not know.
  await expect(ship.getByLabel(yarn.name)).toHaveValue('1')
  await ship.getByRole('button', { name: 'Pack, send later' }).click()
  await keeper.getByRole('button', { name: 'Cancel parcel 2' }).click()
  await keeper.getByRole('alertdialog').getByRole('button', { name: 'Cancel parcel' }).click()
  await ship.getByLabel('Carrier').selectOption('Another carrier …')
  await ship.getByLabel('Name of the carrier').fill('Moor Post')
  await ship.getByLabel('Tracking link').fill('javascript:alert(1)')
  await ship.getByRole('button', { name: 'Mark as sent' }).click()
  await expect(ship.getByText('Please enter a tracking link that starts with https:// or http://.')).toBeVisible()
  await expect(ship.getByLabel('Tracking link')).toBeFocused()
  await expect(ship.getByLabel('Name of the carrier')).toHaveValue('Moor Post')
  await ship.getByLabel('Tracking link').fill('https://moor.example.com/7')
  await ship.getByRole('button', { name: 'Mark as sent' }).click()
  await expect(ship).toHaveCount(0)
  await expect(page.getByText('Your yarn is on its way.', { exact: true })).toBeVisible()

  await keeper.getByRole('button', { name: 'Mark parcel 1 as delivered' }).click()
  await expect(page.getByRole('region', { name: 'Your parcels' }).getByText(/^Delivered on /)).toBeVisible()
  await keeper.getByRole('button', { name: 'Mark parcel 3 as delivered' }).click()
  await expect(page.getByText('At your door. Happy knitting!')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Shipping' })).toContainText('Delivered on')
  await keeper.close()
})

test('packing slips are printed for one order, or for all that are selected', async ({
  browser,
  api,
  shopper,
  admin,
  makeProduct,
}) => {
  const yarn = await makeProduct()
  const orders = [
    await api.placeOrder(shopper, [{ product: yarn, quantity: 1 }]),
    await api.placeOrder(shopper, [{ product: yarn, quantity: 2 }]),
  ]
  for (const { id } of orders) await api.pay(shopper, id)
  const keeper = await browser.newPage()
  await signIn(keeper, admin)
  const [one] = orders
  await open(keeper, `/order/${present(one).id}`)
  const [slip] = await Promise.all([
    keeper.waitForEvent('download'),
    keeper.getByRole('form', { name: 'Ship' }).getByRole('button', { name: 'Packing slip' }).click(),
  ])
  expect(slip.suggestedFilename()).toMatch(/^packing-slip-\d+\.pdf$/)

  await open(keeper, `/admin/orders?search=${encodeURIComponent(shopper.email)}`)
  await keeper.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const selection = keeper.getByRole('region', { name: 'Selection' })
  await expect(selection).toContainText('2 orders selected')
  const [slips] = await Promise.all([
    keeper.waitForEvent('download'),
    selection.getByRole('button', { name: 'Packing slips' }).click(),
  ])
  expect(slips.suggestedFilename()).toBe('packing-slips.pdf')
  await keeper.close()
})

test('a line from two dye lots goes in two parcels, and the owner says which lot is in which', async ({
  page,
  browser,
  api,
  shopper,
  admin,
  makeProduct,
}) => {
  const yarn = await makeProduct()
  const lots = [
    { code: '4412', quantity: 8 },
    { code: '4417', quantity: 2 },
  ]
  await api.ask(
    'mutation($id: ID!, $lots: [LotCountInput!]) { patchProduct(id: $id, input: { lots: $lots }) { userErrors { message } } }',
    { id: yarn.id, lots },
    admin,
  )
  const { id } = await api.placeOrder(shopper, [{ product: yarn, quantity: 10, lots }])
  await api.pay(shopper, id)
  await open(page, `/order/${id}`)

  const keeper = await browser.newPage()
  await signIn(keeper, admin)
  await open(keeper, `/order/${id}`)
  const ship = keeper.getByRole('form', { name: 'Ship' })
  const [first, second] = lots.map(({ code }) => ship.getByLabel(`${yarn.name}, lot ${code}`))
  await expect(present(first)).toHaveValue('8')
  await expect(present(second)).toHaveValue('2')
  await present(second).fill('3')
  await ship.getByRole('button', { name: 'Mark as sent' }).click()
  await expect(ship.getByText('Only 2 left to send.')).toBeVisible()
  await present(first).fill('5')
  await present(second).fill('0')
  await ship.getByRole('button', { name: 'Mark as sent' }).click()
  await expect(toasts(keeper).getByText('Parcel sent.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Your parcel' })).toContainText(`5 × ${yarn.name}: Lot 4412`)

  await expect(present(first)).toHaveValue('3')
  await ship.getByRole('button', { name: 'Mark as sent' }).click()
  await expect(page.getByRole('region', { name: 'Your parcels' })).toContainText(
    `5 × ${yarn.name}: 3 of lot 4412 and 2 of lot 4417`,
  )

  // What is printed says what is in each parcel, and has no form.
  await keeper.emulateMedia({ media: 'print' })
  await expect(keeper.getByRole('region', { name: 'Parcels' })).toContainText('3 of lot 4412 and 2 of lot 4417')
  await expect(keeper.getByRole('button', { name: 'Mark parcel 1 as delivered' })).toBeHidden()
  await keeper.close()
})

test('a number is corrected, and what comes back is taken in with its refund', async ({
  page,
  browser,
  api,
  shopper,
  admin,
  makeProduct,
}) => {
  const yarn = await makeProduct()
  const { id } = await api.placeOrder(shopper, [{ product: yarn, quantity: 3 }])
  await api.pay(shopper, id)
  await api.ask(
    'mutation($id: ID!) { fulfilOrder(id: $id, carrier: "UPS", trackingNumber: "1Z999AA10123456783") { userErrors { message } } }',
    { id },
    admin,
  )
  await open(page, `/order/${id}`)
  const mine = page.getByRole('region', { name: 'Your parcel' })
  await expect(mine.getByRole('link', { name: '1Z999AA10123456783' })).toBeVisible()

  const keeper = await browser.newPage()
  await signIn(keeper, admin)
  await open(keeper, `/order/${id}`)
  await keeper.getByRole('button', { name: 'Correct the tracking of parcel' }).click()
  const tracking = keeper.getByRole('form', { name: 'Tracking of parcel' })
  await expect(tracking.getByLabel('Carrier')).toHaveValue('UPS')
  await tracking.getByLabel('Tracking number').fill('1Z999AA10123456784')
  await tracking.getByRole('button', { name: 'Save' }).click()
  await expect(toasts(keeper).getByText('Tracking corrected.')).toBeVisible()
  await expect(mine.getByRole('link', { name: '1Z999AA10123456784' })).toHaveAttribute('href', /1Z999AA10123456784$/)

  const refunds = keeper.getByRole('region', { name: 'Refunds' })
  const amount = refunds.getByLabel('Amount in US dollars')
  for (const [typed, problem] of [
    ['0', 'Amount must be more than nothing.'],
    ['$1,000,000', /^At most \$/],
    ['all', 'Please enter an amount such as 12.50.'],
  ] as const) {
    await amount.fill(typed)
    await refunds.getByRole('button', { name: 'Refund' }).click()
    await expect(amount).toHaveAccessibleDescription(problem)
    await expect(amount).toBeFocused()
  }

  await keeper.getByRole('button', { name: 'Take back what came back of parcel' }).click()
  const back = keeper.getByRole('form', { name: 'What came back of parcel' })
  await back.getByLabel(yarn.name, { exact: true }).fill('4')
  await back.getByRole('button', { name: 'Take back' }).click()
  await expect(back.getByText('Only 3 can still come back.')).toBeVisible()
  await back.getByLabel(yarn.name, { exact: true }).fill('2')
  await back.getByLabel('Reason').fill('Too blue')
  await back.getByLabel(/^Refund \$[\d.]+ as well$/).check()
  await back.getByRole('button', { name: 'Take back' }).click()
  await keeper
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Take back and refund/ })
    .click()
  await expect(toasts(keeper).getByText('Taken back.')).toBeVisible()
  await expect(toasts(keeper).getByText(/refunded\.$/)).toBeVisible()

  await expect(mine).toContainText(`2 × ${yarn.name}. Too blue`)
  await expect(page.getByText('Partly refunded')).toBeVisible()
  await keeper.getByRole('button', { name: 'Take back what came back of parcel' }).click()
  await expect(back.getByLabel(yarn.name, { exact: true })).toHaveValue('1')
  await keeper.close()
})
