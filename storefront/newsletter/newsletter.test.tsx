import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { DEFAULT_DELIVERY } from '#schema/rules/delivery'
import { DEFAULT_POLICY } from '#schema/rules/pricing'
import { openShop } from '../testing/open-shop.tsx'

const nothing = () => ({
  items: [],
  page: 1,
  pages: 1,
  total: 0,
  totalIsExact: true,
  hasAllWords: true,
  facets: [],
})
const home = { products: nothing, topRatedProducts: nothing, wallOfColour: () => [], collections: () => [] }
const promising = (newsletterDiscount: number | null) => ({
  shop: () => ({
    name: 'Skein',
    currency: 'USD',
    pricingPolicy: DEFAULT_POLICY,
    delivery: { ...DEFAULT_DELIVERY, countryCode: 'US', today: '2026-11-20' },
    returnDays: 30,
    newsletterDiscount,
    signInProviders: [],
  }),
})
const subscribeToNewsletter = () => ({ subscribed: true, mailbox: null, userErrors: [] })

it('shows the code for a first order to who signs up', async () => {
  const { user } = openShop('/', { queries: { ...home, ...promising(1500) }, mutations: { subscribeToNewsletter } })
  const box = within(await screen.findByRole('region', { name: '15% off your first order' }))
  expect(screen.getByText('15% off your first armful')).toBeInTheDocument()
  await user.type(box.getByLabelText('Email address'), 'nell@example.com')
  await user.click(box.getByRole('button', { name: 'Sign me up' }))
  const dialog = await screen.findByRole('dialog', { name: "You're In!" })
  expect(dialog).toHaveTextContent('Here is your code for 15% off your first order:')
  expect(dialog).toHaveTextContent('CASTON15')
  expect(dialog).toHaveTextContent('Then another one brings a code of your own, for 15% off one more order.')
})

it('promises nothing while the owner gives nothing', async () => {
  const { user } = openShop('/', { queries: { ...home, ...promising(null) }, mutations: { subscribeToNewsletter } })
  const box = within(await screen.findByRole('region', { name: 'News from the shelves' }))
  expect(document.body.textContent).not.toContain('15%')
  await user.type(box.getByLabelText('Email address'), 'nell@example.com')
  await user.click(box.getByRole('button', { name: 'Sign me up' }))
  const dialog = await screen.findByRole('dialog', { name: "You're In!" })
  expect(dialog).toHaveTextContent('Welcome to the circle.')
  expect(dialog).toHaveTextContent('press the link in the email we are sending to nell@example.com.')
  expect(document.body.textContent).not.toMatch(/CASTON15|15%|code/)
})
