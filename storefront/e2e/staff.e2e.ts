import { expectNoBarriers } from './barriers.ts'
import { alive, arrived, expect, freshEmail, open, PASSWORD, signIn, test, toasts } from './fixtures.ts'

test('the owner lets somebody pack orders and nothing else', async ({ page, api, admin, browser, makeProduct }) => {
  const pat = await api.register('Pat Packer')
  const nell = await api.register('Nell Knitter')
  const product = await makeProduct()
  const order = await api.placeOrder(nell, [{ product, quantity: 2 }])
  await api.pay(nell, order.id)

  await signIn(page, admin)
  await open(page, `/admin/user/${pat.id}/edit`)
  await page.getByLabel('Is Admin Role').check()
  const tasks = page.getByRole('group', { name: 'What they may do' })
  await expect(tasks.getByLabel('Take and give back money')).toBeChecked()
  await tasks.getByLabel('Everything').uncheck()
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(tasks).toHaveAccessibleDescription('Choose at least one thing.')
  await tasks.getByLabel('Pack and send orders').check()
  await expect(tasks.getByLabel('See orders')).toBeChecked()
  await expect(tasks.getByLabel('See orders')).toBeDisabled()
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(toasts(page).getByText('User updated successfully.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Staff')

  const counter = await browser.newPage()
  await open(counter, '/login')
  await counter.getByRole('main').getByLabel('Email').first().fill(pat.email)
  await counter.getByRole('main').getByLabel('Password').first().fill(PASSWORD)
  await counter.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await expect(counter).not.toHaveURL(/login/)

  await open(counter, '/admin')
  await expect(counter).toHaveURL(/\/admin\/orders$/)
  await expect(counter.getByRole('navigation', { name: 'Admin' }).getByRole('link')).toHaveText(['Orders'])
  await open(counter, '/admin/users')
  await expect(counter.getByRole('heading', { name: 'This page is not for your account' })).toBeVisible()
  await expectNoBarriers(counter)
  await counter.getByRole('link', { name: 'Orders' }).last().click()
  await expect(counter.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()

  await open(counter, `/order/${order.id}`)
  await counter.getByRole('form', { name: 'Ship' }).getByRole('button', { name: 'Mark as sent' }).click()
  await expect(toasts(counter).getByText('Parcel sent.')).toBeVisible()
  await expect(counter.getByRole('region', { name: 'For administrators' })).toContainText('Pat Packer')
  await expect(counter.getByRole('heading', { name: 'Refund' })).toHaveCount(0)
  await counter.close()
})

test('somebody is invited by a letter, and comes to their own part of the admin', async ({ page, admin, browser }) => {
  const email = freshEmail()
  await signIn(page, admin)
  await open(page, '/admin/users')
  await page.getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Name').fill('Rowan Reviewer')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Moderate reviews').check()
  await expectNoBarriers(page)
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await expect(toasts(page).getByText('Rowan Reviewer is invited.')).toBeVisible()

  const rowan = await browser.newPage()
  const letters = rowan.getByRole('article').filter({ hasText: email })
  const invitation = letters.getByRole('link', { name: /forgot-password/ })
  await arrived(rowan, invitation)
  await rowan.goto((await invitation.getAttribute('href')) ?? '')
  await alive(rowan)
  await rowan.getByLabel('Email').fill(email)
  await rowan.getByLabel('Email').press('Enter')
  await expect(rowan.getByRole('heading', { level: 1 })).toHaveText('Look into your mailbox')
  const link = letters.getByRole('link', { name: /reset-password/ })
  await arrived(rowan, link)
  await rowan.goto((await link.getAttribute('href')) ?? '')
  await alive(rowan)
  await rowan.getByLabel('New password').fill(PASSWORD)
  await rowan.getByLabel('Confirm password').fill(PASSWORD)
  await rowan.getByRole('button', { name: 'Change my password' }).click()
  await rowan.waitForURL('**/login?redirect=admin')
  await rowan.getByLabel('Email').fill(email)
  await rowan.getByLabel('Password').fill(PASSWORD)
  await rowan.getByRole('button', { name: 'Sign In' }).click()
  await expect(rowan).toHaveURL(/\/admin\/reviews$/)
  await expect(rowan.getByRole('heading', { level: 1, name: 'Reviews' })).toBeVisible()
  await rowan.close()
})

test('who looks after customers does not change administrators', async ({ page, api, admin }) => {
  const kim = await api.register('Kim Counter')
  await api.ask(
    'mutation($id: ID!, $input: UserInput!) { updateUser(id: $id, input: $input) { userErrors { message } } }',
    { id: kim.id, input: { name: kim.name, email: kim.email, isAdmin: true, permissions: ['WRITE_CUSTOMERS'] } },
    admin,
  )
  await signIn(page, { ...kim, isAdmin: true, permissions: ['WRITE_CUSTOMERS'] })
  await open(page, `/admin/user/${admin.id}/edit`)
  await expect(page.getByLabel('Is Admin Role')).toBeDisabled()
  const why = 'Only an administrator who may do everything can change this account.'
  for (const name of ['Update', 'Delete user']) {
    const button = page.getByRole('button', { name })
    await expect(button).toBeDisabled()
    await expect(button).toHaveAccessibleDescription(why)
  }
})

test('a page works for who may open that one alone', async ({ page, api, admin, makeProduct }) => {
  const nell = await api.register('Nell Knitter')
  const product = await makeProduct()
  const order = await api.placeOrder(nell, [{ product, quantity: 1 }])
  await api.pay(nell, order.id)
  const kim = await api.register('Kim Counter')
  const refused: string[] = []
  page.on('response', async response => {
    if (!response.headers()['content-type']?.includes('json') || !response.url().includes('/graphql')) return
    const answer = (await response.json().catch(() => ({}))) as { errors?: { message: string }[] }
    refused.push(...(answer.errors ?? []).map(({ message }) => `${new URL(page.url()).pathname}: ${message}`))
  })

  for (const [permissions, path] of [
    [['READ_REPORTS', 'READ_ORDERS'], '/admin'],
    [['READ_ORDERS'], '/admin/orders'],
    [['READ_ORDERS'], `/order/${order.id}`],
    [['FULFIL_ORDERS', 'READ_ORDERS'], `/order/${order.id}`],
    [['WRITE_ORDERS', 'READ_ORDERS'], '/admin/orders/new'],
    [['REFUND_ORDERS', 'READ_ORDERS'], `/order/${order.id}`],
    [['WRITE_PRODUCTS'], '/admin/products'],
    [['WRITE_PRODUCTS'], `/admin/product/${product.id}/edit`],
    [['IMPORT_PRODUCTS', 'WRITE_PRODUCTS'], '/admin/products/import'],
    [['MANAGE_SEARCH'], '/admin/searches'],
    [['READ_CUSTOMERS'], '/admin/users'],
    [['READ_CUSTOMERS'], `/admin/user/${nell.id}/edit`],
    [['WRITE_CUSTOMERS'], `/admin/user/${nell.id}/edit`],
    [['MODERATE_REVIEWS'], '/admin/reviews'],
    [['MANAGE_DISCOUNTS'], '/admin/codes'],
    [['REFUND_ORDERS', 'READ_ORDERS'], '/admin/gift-cards'],
    [['READ_REPORTS'], '/admin/taxes'],
    [['WRITE_PAGES'], '/admin/pages'],
  ] as const)
    await test.step(`${permissions[0]} at ${path}`, async () => {
      await api.ask(
        'mutation($id: ID!, $input: UserInput!) { updateUser(id: $id, input: $input) { userErrors { message } } }',
        { id: kim.id, input: { name: kim.name, email: kim.email, isAdmin: true, permissions: [...permissions] } },
        admin,
      )
      await signIn(page, { ...kim, isAdmin: true, permissions: [...permissions] })
      await open(page, path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
      await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
    })
  expect(refused).toEqual([])
})
