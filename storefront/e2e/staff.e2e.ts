import { expectNoBarriers } from './barriers.ts'
import { expect, open, PASSWORD, signIn, test, toasts } from './fixtures.ts'

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
  await expect(tasks.getByLabel('Give money back')).toBeChecked()
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
