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
  return <Combobox label="Wool" value={null} onChange={onChange} found={found} searching={false} onSearch={setSearch} />
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
