import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { signIn, signOut } from '../account/session.ts'
import { BLANK_ADDRESS } from '../cart/cart.ts'
import { openShop } from '../testing/open-shop.tsx'
import { nth } from '#schema/rules/present'

interface Entry {
  id: string
  label: string
  isDefault: boolean
  shippingAddress: object
}
type Input = Omit<Entry, 'id'>

/** A shop whose address book accepts every change. */
function openBook(book: Entry[]) {
  const done = (address: Entry | null) => ({ address, userErrors: [] })
  return openShop('/profile/addresses', {
    queries: { addresses: () => [...book] },
    mutations: {
      addAddress({ input }: { input: Input }) {
        const added = { ...input, id: `a${book.length + 1}`, isDefault: false }
        book.push(added)
        return done(added)
      },
      updateAddress({ id, input: { isDefault, ...input } }: { id: string; input: Input }) {
        const place = book.findIndex(each => each.id === id)
        if (isDefault) for (const each of book) each.isDefault = false
        book[place] = { ...nth(book, place), ...input, isDefault: isDefault ?? nth(book, place).isDefault }
        return done(book[place])
      },
      removeAddress({ id }: { id: string }) {
        book.splice(
          book.findIndex(each => each.id === id),
          1,
        )
        return done(null)
      },
    },
  })
}
const entry = (id: string, label: string, isDefault = false): Entry => ({
  id,
  label,
  isDefault,
  shippingAddress: { ...BLANK_ADDRESS, name: 'Ada', address: `${id} Purl Lane`, country: 'Norway' },
})
const title = () => screen.findByRole('heading', { level: 1, name: 'Your address book' })

beforeEach(() => {
  signOut()
  localStorage.clear()
  signIn({ _id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: false, token: 't' })
})

test('takes in an address, says what is missing, and shows it', async () => {
  const book: Entry[] = []
  const { user } = openBook(book)
  await user.click(await screen.findByRole('button', { name: 'Add an address' }))
  expect(screen.getByRole('heading', { level: 1, name: 'New address' })).toHaveFocus()
  expect(screen.getByLabelText('Name')).toHaveValue('Ada')
  await user.type(screen.getByLabelText('What to call it (optional)'), 'Home')
  await user.click(screen.getByRole('button', { name: 'Save address' }))
  expect(await screen.findByText('Country is required.')).toBeInTheDocument()
  expect(screen.getByLabelText('Country')).toHaveFocus()
  await user.type(screen.getByLabelText('Country'), 'usa')
  await user.click(screen.getByRole('button', { name: 'Save address' }))
  expect(await title()).toHaveFocus()
  expect(await screen.findByRole('heading', { level: 2, name: 'Home' })).toBeInTheDocument()
  expect(book).toMatchObject([{ label: 'Home', shippingAddress: { name: 'Ada', country: 'United States' } }])
})

test('changes one, makes another the default, and removes one after asking', async () => {
  const { user } = openBook([entry('1', 'Home', true), entry('2', 'Mill')])
  await user.click(await screen.findByRole('button', { name: 'Change Home' }))
  await user.type(screen.getByLabelText('Address (optional)'), ' West')
  await user.click(screen.getByRole('button', { name: 'Save address' }))
  expect(await screen.findByText('1 Purl Lane West')).toBeInTheDocument()

  expect(screen.queryByRole('button', { name: 'Make default Home' })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Make default Mill' }))
  expect(await screen.findByRole('heading', { level: 2, name: 'Mill Default' })).toBeInTheDocument()
  await waitFor(async () => expect(await title()).toHaveFocus())

  await user.click(screen.getByRole('button', { name: 'Remove Mill' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Remove this address?' })
  await user.click(within(dialog).getByRole('button', { name: 'Keep address' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  await user.click(screen.getByRole('button', { name: 'Remove Mill' }))
  await user.click(await screen.findByRole('button', { name: 'Remove address' }))
  await waitFor(() => expect(screen.queryByText('2 Purl Lane')).not.toBeInTheDocument())
  await waitFor(async () => expect(await title()).toHaveFocus())
})

test('is full with twenty', async () => {
  openBook(Array.from({ length: 20 }, (_, number) => entry(String(number), '')))
  expect(await screen.findByText('Your book holds 20 addresses, as many as it can.')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Add an address' })).not.toBeInTheDocument()
})
