import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { TextField } from '../ui/TextField.tsx'
import { notify } from '../ui/toast.ts'
import { useProblems } from './use-problems.ts'

function Parcel({ refusals }: { refusals: { field: string[] | null; message: string }[] }) {
  const { form, problems, show } = useProblems()
  return (
    <form ref={form}>
      <TextField label="Tracking number" error={problems['number']} />
      <button type="button" onClick={() => show(refusals)}>
        Save
      </button>
    </form>
  )
}

it('says beside a field what is refused of it, and in a toast what no field of the form shows', () => {
  const error = vi.spyOn(notify, 'error').mockImplementation(() => '')
  render(
    <Parcel
      refusals={[
        { field: ['tracking', 'number'], message: 'This number is too long.' },
        { field: ['lines', '0', 'quantity'], message: 'Only 2 left to send.' },
        { field: null, message: 'The order was cancelled.' },
      ]}
    />,
  )
  fireEvent.click(screen.getByRole('button'))
  expect(screen.getByRole('textbox')).toHaveAccessibleDescription('This number is too long.')
  expect(screen.getByRole('textbox')).toHaveFocus()
  expect(error.mock.calls.flat().toSorted()).toEqual(['Only 2 left to send.', 'The order was cancelled.'])
})
