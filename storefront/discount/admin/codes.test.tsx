import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { signIn, signOut } from '../../account/session.ts'
import { openShop } from '../../testing/open-shop.tsx'

const code = (change: object = {}) => ({
  id: 'c1',
  code: 'SPRING',
  isSeries: false,
  description: '15% off',
  terms: { minimum: 0, productIds: [], categories: [], startsAt: null, endsAt: null },
  isForFirstOrder: false,
  maxUses: null,
  maxUsesPerPerson: 1,
  status: 'ACTIVE',
  figures: { uses: 0, paidOrders: 0, revenue: 0, discountGiven: 0 },
  ...change,
})
const listOf =
  (...items: object[]) =>
  () => ({ items, page: 1, pages: 1, total: items.length, totalIsExact: true })

beforeEach(() => signIn({ _id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: true, token: 't' }))
afterEach(() => {
  signOut()
  localStorage.clear()
})

const fill = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

/** Tries each of the texts in a field of the dialog: what is wrong is told there, and the keyboard is there, too. */
async function refuses(press: () => Promise<void>, field: () => HTMLElement, wrong: Record<string, string>) {
  for (const [typed, problem] of Object.entries(wrong)) {
    fill(field(), typed)
    await press()
    await waitFor(() => expect(field()).toHaveAccessibleDescription(expect.stringContaining(problem)))
    expect(field()).toHaveFocus()
  }
}

it('is made of what is typed, once nothing of it is wrong', async () => {
  const createDiscountCode = vi.fn((_: object) => ({ discountCode: code(), userErrors: [] }))
  const { user } = openShop('/admin/codes', { queries: { discountCodes: listOf() }, mutations: { createDiscountCode } })
  await user.click(await screen.findByRole('button', { name: 'Create code' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  const press = () => user.click(dialog.getByRole('button', { name: 'Create code' }))
  const fields: [string | RegExp, Record<string, string>, string][] = [
    [
      'Code',
      {
        '': 'Code is required.',
        ab: 'A code has at least 3 characters.',
        '-spring': 'A code has letters, digits and hyphens, and begins with none of the last.',
      },
      'spring-27',
    ],
    [
      'Percent off',
      { 0: 'A share must be more than 0%.', 150: 'A share must be at most 100%.', some: 'Percent, such as 15.' },
      '12.5%',
    ],
    [/^Items must come to/, { '2,000,000': 'Minimum is too high.', 'a lot': 'An amount, such as 12.50.' }, '$1,000'],
    [
      /^Categories/,
      { [Array.from({ length: 21 }, (_, place) => place).join()]: 'At most 20 categories.' },
      'Sock yarn, DK ,',
    ],
    [/^Uses in all/, { 0: 'Uses in all must be at least 1.', 1.5: 'A whole number, or nothing.' }, '1,000'],
  ]
  for (const [label, wrong, right] of fields) {
    const field = () => dialog.getByLabelText(label)
    await refuses(press, field, wrong)
    fill(field(), right)
  }
  fill(dialog.getByLabelText(/^First day/), '2027-03-15')
  fill(dialog.getByLabelText(/^Last day/), '2027-03-13')
  await press()
  await waitFor(() =>
    expect(dialog.getByLabelText(/^Last day/)).toHaveAccessibleDescription('The code must end after it begins.'),
  )
  expect(createDiscountCode).not.toHaveBeenCalled()
  fill(dialog.getByLabelText(/^First day/), '2027-03-13')
  fill(dialog.getByLabelText(/^Last day/), '2027-03-14')
  await press()
  await waitFor(() =>
    expect(createDiscountCode).toHaveBeenCalledWith({
      input: {
        code: 'SPRING-27',
        isSeries: false,
        kind: 'PERCENT',
        basisPoints: 1250,
        amount: null,
        minimum: 100_000,
        categories: ['Sock yarn', 'DK'],
        productIds: [],
        startsAt: new Date(2027, 2, 13).toISOString(),
        endsAt: new Date(2027, 2, 15).toISOString(),
        maxUses: 1000,
        maxUsesPerPerson: 1,
        isForFirstOrder: false,
      },
    }),
  )
})

it('forgets what another kind of code would give', async () => {
  const createDiscountCode = vi.fn((_: { input: object }) => ({ discountCode: code(), userErrors: [] }))
  const { user } = openShop('/admin/codes', { queries: { discountCodes: listOf() }, mutations: { createDiscountCode } })
  await user.click(await screen.findByRole('button', { name: 'Create code' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  const press = () => user.click(dialog.getByRole('button', { name: 'Create code' }))
  fill(dialog.getByLabelText('Code'), 'SPRING')
  fill(dialog.getByLabelText('Percent off'), 'some')
  await user.selectOptions(dialog.getByLabelText('What it gives'), 'AMOUNT')
  await refuses(press, () => dialog.getByLabelText('Amount off'), {
    '': 'Please say how much is taken off.',
    0: 'An amount must be at least a cent.',
  })
  expect(createDiscountCode).not.toHaveBeenCalled()
  fill(dialog.getByLabelText('Amount off'), '5')
  await press()
  await waitFor(() => expect(createDiscountCode).toHaveBeenCalled())
  expect(createDiscountCode.mock.calls[0]?.[0].input).toMatchObject({ kind: 'AMOUNT', amount: 500, basisPoints: null })
})

it('makes as many codes of a series as can be made at a time', async () => {
  const createSeriesCodes = vi.fn(() => ({ codes: ['BOX-ABC'], userErrors: [] }))
  const { user } = openShop('/admin/codes', {
    queries: { discountCodes: listOf(code({ isSeries: true, code: 'BOX' })) },
    mutations: { createSeriesCodes },
  })
  await user.click(await screen.findByRole('button', { name: /Make codes/ }))
  const dialog = within(await screen.findByRole('dialog'))
  const press = () => user.click(dialog.getByRole('button', { name: 'Make codes' }))
  await refuses(press, () => dialog.getByLabelText('How many'), {
    0: 'At least 1.',
    501: 'At most 500 at a time.',
    2.5: 'A whole number, such as 10.',
  })
  expect(createSeriesCodes).not.toHaveBeenCalled()
  fill(dialog.getByLabelText('How many'), '500')
  await press()
  expect(await dialog.findByLabelText('New codes')).toHaveValue('BOX-ABC')
  expect(createSeriesCodes).toHaveBeenCalledWith({ id: 'c1', count: 500 })
})
