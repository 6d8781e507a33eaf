import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Pagination } from './Pagination.tsx'

const show = (page: number, pages: number) => {
  render(
    <Pagination
      page={page}
      pages={pages}
      link={(number, { children, ...props }) => (
        <a href={`/page/${number}`} {...props}>
          {children}
        </a>
      )}
    />,
  )
  return screen.queryAllByRole('link', { name: /^Page / }).map(link => Number(link.textContent))
}

test('one page needs no links', () => {
  expect(show(1, 1)).toEqual([])
  expect(screen.queryByRole('navigation')).toBeNull()
})

test('links are numbered 1 to the last page, and the current one says so', () => {
  expect(show(2, 7)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('2')
  expect(screen.getByRole('link', { name: 'Next page' })).toHaveAttribute('href', '/page/3')
  expect(screen.getByRole('link', { name: 'Previous page' })).toHaveAttribute('href', '/page/1')
})

test('a very long row keeps its ends and the neighbours', () => {
  expect(show(500, 1000)).toEqual([1, 2, 499, 500, 501, 999, 1000])
})

test('the ends have one neighbour only', () => {
  show(1, 3)
  expect(screen.queryByRole('link', { name: 'Previous page' })).toBeNull()
})
