import { fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider, useNavigate, useSearchParams } from 'react-router-dom'
import { afterEach, expect, it, vi } from 'vitest'
import { Link } from './Link.tsx'
import { SearchField } from './SearchField.tsx'

afterEach(() => {
  vi.useRealTimers()
})

function List() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  return (
    <>
      <SearchField
        label="Search orders"
        value={params.get('search') ?? ''}
        onSearch={text => navigate(`?search=${text}`, { replace: true })}
      />
      <Link to="/order">#10001</Link>
    </>
  )
}

function openList() {
  const router = createMemoryRouter([
    { path: '/', element: <List /> },
    { path: '/order', loader: () => Promise.resolve(null), element: <h1>Order #10001</h1> },
  ])
  render(<RouterProvider router={router} />)
  return router
}

it('searches once typing has paused', async () => {
  const router = openList()
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'ada' } })
  await vi.waitFor(() => expect(router.state.location.search).toBe('?search=ada'))
})

it('calls nobody back who has just pressed a link', async () => {
  const router = openList()
  vi.useFakeTimers()
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'ada' } })
  // As a browser presses it: what follows from it is rendered later.
  screen.getByRole('link').click()
  vi.advanceTimersByTime(1_000)
  vi.useRealTimers()
  expect(await screen.findByRole('heading', { name: 'Order #10001' })).toBeInTheDocument()
  expect(router.state.location.pathname).toBe('/order')
})
