import { ApolloClient, ApolloLink, InMemoryCache, Observable } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { SkeinCalculator } from './SkeinCalculator.tsx'
import { present } from '#schema/rules/present'

const yarn = (countInStock: number) => ({
  __typename: 'Product' as const,
  id: 'p1',
  name: 'Hawkbit DK in Rue',
  price: 1000,
  countInStock,
  facts: {
    __typename: 'ProductFacts' as const,
    metres: 210,
    weightClass: 'DK' as const,
    stitches: { __typename: 'NumberRange' as const, from: 22, to: 22 },
  },
})

const instead = {
  __typename: 'Substitute',
  product: { __typename: 'Product', id: 'p2', name: 'Hawkbit DK in Yarrow' },
  skeins: 7,
  price: 7700,
  costsMore: 700,
}

async function show(countInStock: number) {
  const onTake = vi.fn<(skeins: number) => void>()
  const link = new ApolloLink(
    () =>
      new Observable(observer => {
        observer.next({
          data: {
            product: {
              __typename: 'Product',
              id: 'p1',
              skeinsFor: { __typename: 'SkeinEstimate', skeins: 7, instead },
            },
          },
        })
        observer.complete()
      }),
  )
  render(
    <ApolloProvider client={new ApolloClient({ cache: new InMemoryCache(), link })}>
      <MemoryRouter>
        <SkeinCalculator product={yarn(countInStock)} onTake={onTake} />
      </MemoryRouter>
    </ApolloProvider>,
  )
  await screen.findByText('Reckon by')
  return { user: userEvent.setup(), onTake }
}

test('a jumper is reckoned at the gauge of the band, explained, and its skeins are taken', async () => {
  const { user, onTake } = await show(12)
  await user.click(screen.getByText('How many skeins?'))
  await screen.findByText(/A jumper \(M\) at 22 stitches in 10 cm takes about 1,200 m; with 10% to spare/)
  await user.click(screen.getByRole('button', { name: 'Take 7 skeins' }))
  expect(onTake).toHaveBeenCalledWith(7)
})

test('a pattern’s yards are reckoned, by keyboard alone', async () => {
  const { user } = await show(12)
  await user.click(screen.getByText('How many skeins?'))
  screen.getByRole('radio', { name: 'what I make' }).focus()
  await user.keyboard('{ArrowDown}')
  await user.tab()
  await user.keyboard('1000')
  await user.selectOptions(screen.getByLabelText('In'), 'yards')
  await screen.findByText(/Your pattern takes 1,000 yd/)
  await screen.findByRole('button', { name: 'Take 5 skeins' })
})

test('another garment keeps to the sizes it has', async () => {
  const { user } = await show(12)
  await user.click(screen.getByText('How many skeins?'))
  await user.selectOptions(screen.getByLabelText('Garment'), 'Bootees')
  await screen.findByText(/A pair of bootees \(baby\)/)
})

test('what nobody knits is told, and what was typed stays', async () => {
  const { user } = await show(12)
  await user.click(screen.getByText('How many skeins?'))
  const stitches = screen.getByLabelText('Stitches in 10 cm (4 in)')
  await user.clear(stitches)
  await user.type(stitches, '220')
  await screen.findByText('From 3 to 60, please.')
  expect(stitches).toHaveProperty('value', '220')
})

test('what suffices is offered when too few are in stock', async () => {
  const { user } = await show(3)
  await user.click(screen.getByText('How many skeins?'))
  await screen.findByText('Only 3 in stock.')
  const link = await screen.findByRole('link', { name: 'Hawkbit DK in Yarrow' })
  expect(present(link.parentElement).textContent).toBe('Of Hawkbit DK in Yarrow there is enough: 7 skeins, $7.00 more.')
  expect(screen.queryByRole('button', { name: /Take/ })).toBeNull()
})
