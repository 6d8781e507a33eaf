import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { signIn, signOut } from '../account/session.ts'
import { openShop } from '../testing/open-shop.tsx'
import { merino } from '../testing/merino.ts'

const FACTS = { metres: 200, needles: [], hooks: [], fibres: [], weightClass: null, pricePer100m: null, colours: [] }
const yarn = (id: string, name: string, countInStock = 5) => ({ ...merino, id, name, countInStock, facts: FACTS })
type Item = { id: string; productId: string; name: string; isDiscontinued: boolean; product: object | null }
const item = (product: { id: string; name: string }): Item => ({
  id: `s-${product.id}`,
  productId: product.id,
  name: product.name,
  isDiscontinued: false,
  product,
})

const moss = yarn('moss', 'Moss')
const slate = yarn('slate', 'Slate', 0)

/** A shop whose stash does as it is told, unless it refuses. */
function openStash(path: string, stash: Item[], refuses = false, removal?: Promise<void>) {
  const calls: string[] = []
  const userErrors = refuses ? [{ code: 'STASH_FULL', message: 'Your stash is full.', field: null }] : []
  const shop = openShop(path, {
    queries: { stash: () => [...stash] },
    mutations: {
      addToStash({ productId }: { productId: string }) {
        if (refuses) return { item: null, userErrors }
        const added = item(productId === 'moss' ? moss : slate)
        stash.unshift(added)
        calls.push('added')
        return { item: added, userErrors }
      },
      async removeFromStash({ productId }: { productId: string }) {
        await removal
        calls.push('removed')
        const place = stash.findIndex(each => each.productId === productId)
        if (!refuses) stash.splice(place, 1)
        return { item: null, userErrors }
      },
    },
  })
  return { ...shop, calls }
}

beforeEach(() => {
  signOut()
  localStorage.clear()
  signIn({ _id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: false, token: 't' })
})

const heart = (name: string) => screen.findByRole('button', { name: `${name}: in my stash` })
const inHeader = () => screen.findByRole('link', { name: /^Stash, / })

test('shows what is in it, sold out or not, counts it in the header, and names what is no longer sold', async () => {
  const gone = { ...item({ id: 'gone', name: 'Fern' }), isDiscontinued: true, product: null }
  openStash('/stash', [item(moss), item(slate), gone])
  expect(await heart('Moss')).toHaveAttribute('aria-pressed', 'true')
  expect(screen.getByText('Out of Stock')).toBeVisible()
  const lines = within(screen.getByRole('region', { name: 'Not on sale any more' }))
  expect(lines.getByRole('link', { name: 'Fern' })).toHaveAttribute('href', '/product/gone/fern')
  expect(lines.getByText('No longer sold')).toBeVisible()
  expect(await inHeader()).toHaveAccessibleName('Stash, 3 products')
})

test('what is taken out can be put back, and the keyboard stays with it', async () => {
  const { user } = openStash('/stash', [item(moss), item(slate)])
  await user.click(await heart('Moss'))
  const undo = await screen.findByRole('button', { name: 'Undo for Moss' })
  expect(screen.queryByRole('button', { name: 'Moss: in my stash' })).toBeNull()
  expect(undo).toHaveFocus()
  expect(await inHeader()).toHaveAccessibleName('Stash, 1 product')
  await user.click(undo)
  expect(await heart('Moss')).toHaveAttribute('aria-pressed', 'true')
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull()
})

test('what is put back before its taking out has arrived is put back after it', async () => {
  let arrives = () => {}
  const removal = new Promise<void>(resolve => {
    arrives = resolve
  })
  const stash = [item(moss)]
  const { user, calls } = openStash('/stash', stash, false, removal)
  await user.click(await heart('Moss'))
  await user.click(await screen.findByRole('button', { name: 'Undo for Moss' }))
  await waitFor(async () => expect(await inHeader(), 'at once for the eye').toHaveAccessibleName('Stash, 1 product'))
  arrives()
  await waitFor(() => expect(calls).toEqual(['removed', 'added']))
  expect(await heart('Moss')).toHaveAttribute('aria-pressed', 'true')
})

test('an empty one leads on', async () => {
  openStash('/stash', [])
  expect(await screen.findByRole('heading', { name: 'Nothing in your stash yet' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Look for yarn' })).toHaveAttribute('href', '/')
})

test('a refusal is told, and the product is shown in the stash again', async () => {
  const { user } = openStash('/stash', [item(moss)], true)
  await user.click(await heart('Moss'))
  expect(await screen.findByText('Your stash is full.')).toBeVisible()
  expect(await heart('Moss')).toHaveAttribute('aria-pressed', 'true')
})

test('what a visitor wanted to keep is in the stash once they are signed in', async () => {
  const stash: Item[] = []
  localStorage.setItem('stashWish', JSON.stringify({ productId: 'moss', name: 'Moss', at: Date.now() }))
  window.dispatchEvent(new StorageEvent('storage', { key: 'stashWish' }))
  openStash('/stash', stash)
  expect(await screen.findByText('“Moss” is in your stash.')).toBeVisible()
  expect(await heart('Moss')).toHaveAttribute('aria-pressed', 'true')
  await waitFor(() => expect(localStorage.getItem('stashWish')).toBeNull())
})

test('a wish of long ago, or one that is none, is let go', async () => {
  for (const wish of [
    { productId: 'moss', name: 'Moss', at: Date.now() - 3_700_000 },
    { productId: 4 },
    'moss',
    null,
  ]) {
    localStorage.setItem('stashWish', JSON.stringify(wish))
    window.dispatchEvent(new StorageEvent('storage', { key: 'stashWish' }))
  }
  openStash('/stash', [])
  expect(await screen.findByRole('heading', { name: 'Nothing in your stash yet' })).toBeVisible()
  expect(await inHeader()).toHaveAccessibleName('Stash, 0 products')
})
