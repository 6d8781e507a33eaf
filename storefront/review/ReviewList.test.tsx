import { ApolloClient, ApolloLink, InMemoryCache, Observable } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ReviewList } from './ReviewList.tsx'

const review = (n: number) => ({
  __typename: 'Review' as const,
  id: `r${n}`,
  name: `Reviewer ${n}`,
  rating: 4,
  comment: `Comment ${n}`,
  needleMm: null,
  gauge: null,
  project: null,
  pictures: [],
  helpful: 0,
  answer: null,
  verifiedPurchase: n === 1,
  createdAt: '2026-11-02T23:30:00.000Z',
})

/** Responds with page 2, which begins with the last review of page 1; fails the first `failures` times. */
function show(first: { items: ReturnType<typeof review>[]; pages: number; total: number }, failures = 0) {
  let failed = 0
  const link = new ApolloLink(
    () =>
      new Observable(observer => {
        if (failed++ < failures) {
          observer.error(new Error('The line is down.'))
          return
        }
        observer.next({
          data: {
            product: {
              __typename: 'Product',
              id: 'p',
              reviews: { __typename: 'ReviewPage', items: [review(2), review(3)], page: 2, pages: 2 },
            },
          },
        })
        observer.complete()
      }),
  )
  render(
    <ApolloProvider client={new ApolloClient({ cache: new InMemoryCache(), link })}>
      <ReviewList
        product={{
          __typename: 'Product',
          id: 'p',
          rating: 4.26,
          reviewSummary: { __typename: 'ReviewSummary', stars: [0, 0, 0, first.total, 0], knitted: null },
          reviews: { __typename: 'ReviewPage', page: 1, ...first },
          group: null,
        }}
        aside={null}
      />
    </ApolloProvider>,
  )
}

const comments = () => screen.queryAllByText(/^Comment /).map(node => node.textContent)

test('without reviews there is a notice', () => {
  show({ items: [], pages: 1, total: 0 })
  expect(screen.getByRole('status')).toHaveTextContent('No Reviews')
})

test('a review has name, stars, date and comment, and says when it was bought', () => {
  show({ items: [review(1)], pages: 1, total: 1 })
  expect(screen.getByText('Reviewer 1')).toBeInTheDocument()
  expect(screen.getByText('4 out of 5 stars')).toBeInTheDocument()
  expect(screen.getByText('November 2, 2026')).toBeInTheDocument()
  expect(screen.getByText(/Verified purchase/)).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Show more reviews' })).toBeNull()
})

test('the next page comes under the first, nothing twice', async () => {
  show({ items: [review(1), review(2)], pages: 2, total: 3 })
  await userEvent.click(screen.getByRole('button', { name: 'Show more reviews' }))
  expect(await screen.findByText('Comment 3')).toBeInTheDocument()
  expect(comments()).toEqual(['Comment 1', 'Comment 2', 'Comment 3'])
  expect(screen.queryByRole('button', { name: 'Show more reviews' })).toBeNull()
})

test('what failed is said, kept apart, and tried again', async () => {
  show({ items: [review(1), review(2)], pages: 2, total: 3 }, 1)
  await userEvent.click(screen.getByRole('button', { name: 'Show more reviews' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('The line is down.')
  expect(comments()).toEqual(['Comment 1', 'Comment 2'])
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Comment 3')).toBeInTheDocument()
})

test('another order is fetched when it is chosen, and what failed of it is tried again', async () => {
  show({ items: [review(1)], pages: 1, total: 2 }, 1)
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Order of the reviews' }), 'LOWEST')
  expect(await screen.findByRole('alert')).toHaveTextContent('The line is down.')
  expect(comments()).toEqual(['Comment 1'])
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Comment 3')).toBeInTheDocument()
  expect(comments()).toEqual(['Comment 2', 'Comment 3'])
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Order of the reviews' }), 'NEWEST')
  expect(comments()).toEqual(['Comment 1'])
})
