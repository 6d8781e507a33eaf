import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { Combobox, type Option } from './Combobox.tsx'

const WOOLS = ['Alpaca', 'Merino', 'Mohair'].map(label => ({ id: label, label }))
const onChange = vi.fn<(wool: Option | null) => void>()

function Wools() {
  const [search, setSearch] = useState('')
  const found = WOOLS.filter(({ label }) => label.toLowerCase().includes(search))
  return (
    <Combobox
      label="Wool"
      value={null}
      onChange={onChange}
      found={found}
      searching={false}
      failure={null}
      onSearch={setSearch}
    />
  )
}

it('offers nothing that was found by other words than those that stand there', async () => {
  const user = userEvent.setup()
  const onSubmit = vi.fn()
  render(
    <form onSubmit={onSubmit}>
      <Wools />
    </form>,
  )
  await user.click(screen.getByLabelText('Wool'))
  expect(await screen.findByRole('option', { name: 'Alpaca' })).toBeInTheDocument()

  await user.keyboard('m')
  expect(screen.queryAllByRole('option')).toEqual([])
  await user.keyboard('ohair{Enter}')
  expect(onChange).not.toHaveBeenCalled()
  expect(onSubmit).not.toHaveBeenCalled()

  expect(await screen.findByRole('option')).toHaveTextContent('Mohair')
  await user.keyboard('{Enter}')
  expect(onChange).toHaveBeenCalledExactlyOnceWith(WOOLS[2], expect.anything())
})

it('says why a search failed, not that nothing was found', async () => {
  const user = userEvent.setup()
  const common = { label: 'Wool', value: null, onChange, found: [], onSearch: () => {} }
  const { rerender } = render(<Combobox {...common} searching failure={null} />)
  await user.click(screen.getByLabelText('Wool'))
  expect(await screen.findByText('Searching …')).toBeVisible()
  rerender(<Combobox {...common} searching={false} failure="The shop cannot be reached." />)
  expect(screen.getByText('The shop cannot be reached.')).toBeVisible()
  expect(screen.queryByText('Nothing found.')).not.toBeInTheDocument()
  rerender(<Combobox {...common} searching={false} failure={null} />)
  expect(screen.getByText('Nothing found.')).toBeVisible()
})
