import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { DataTable } from './DataTable.tsx'
import type { Column, TableSort } from './table-column.ts'

interface Yarn {
  id: string
  name: string
  stock: number
}
const columns: Column<Yarn>[] = [
  { id: 'NAME', header: 'Name', sortable: true, cell: row => row.name },
  { id: 'STOCK', header: 'Stock', sortable: true, descendingFirst: true, cell: row => row.stock },
]
const rows = [
  { id: 'a', name: 'Alpaca', stock: 3 },
  { id: 'b', name: 'Boucle', stock: 9 },
]
const elsewhere = { id: 'z', name: 'From another page', stock: 1 }

it('asks for a column’s own direction first, then for the other way round', async () => {
  const onSort = vi.fn<(sort: TableSort) => void>()
  function Table() {
    const [sort, setSort] = useState<TableSort>({ column: 'NAME', descending: false })
    return (
      <DataTable
        caption="Yarn"
        columns={columns}
        rows={rows}
        rowId={row => row.id}
        sort={sort}
        onSort={next => {
          onSort(next)
          setSort(next)
        }}
      />
    )
  }
  render(<Table />)
  expect(screen.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  for (const header of ['Stock', 'Stock', 'Name', 'Name'])
    await userEvent.click(screen.getByRole('button', { name: header }))
  expect(onSort.mock.calls.map(([{ column, descending }]) => [column, descending])).toEqual([
    ['STOCK', true],
    ['STOCK', false],
    ['NAME', false],
    ['NAME', true],
  ])
})

it('selects the rows of this page, and keeps those of others', async () => {
  function Table() {
    const [chosen, setChosen] = useState<ReadonlyMap<string, Yarn>>(new Map([['z', elsewhere]]))
    return (
      <>
        <DataTable
          caption="Yarn"
          columns={columns}
          rows={rows}
          rowId={row => row.id}
          rowName={row => row.name}
          selection={{ rows: chosen, onChange: setChosen }}
        />
        <output>{[...chosen.keys()].toSorted().join(' ')}</output>
      </>
    )
  }
  render(<Table />)
  const all = within(screen.getByRole('table')).getByRole<HTMLInputElement>('checkbox', { name: /all on this page/ })
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Boucle' }))
  expect(screen.getByRole('status')).toHaveTextContent('b z')
  expect(all.indeterminate).toBe(true)
  await userEvent.click(all)
  expect(screen.getByRole('status')).toHaveTextContent('a b z')
  expect(all).toBeChecked()
  await userEvent.click(all)
  expect(screen.getByRole('status')).toHaveTextContent(/^z$/)
})
