import { fireEvent, render, screen } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { expect, it, vi } from 'vitest'
import { TextField } from '../ui/TextField.tsx'
import { notify } from '../ui/toast.ts'
import { showRefusals } from './forms.ts'

const refusal = (message: string, ...field: string[]) => ({
  __typename: 'UserError' as const,
  code: 'INVALID' as const,
  message,
  field,
})

interface Values {
  name: string
  maker: string
  order: string[]
}

function Form({ hasMaker, refusals }: { hasMaker: boolean; refusals: ReturnType<typeof refusal>[] }) {
  const form = useForm<Values>({ defaultValues: { name: '', maker: '', order: [] } })
  const { errors } = form.formState
  return (
    <>
      <TextField {...form.register('name')} label="Name" error={errors.name?.message} />
      {hasMaker && <TextField {...form.register('maker')} label="Maker" error={errors.maker?.message} />}
      <button type="button" onClick={() => showRefusals(form, refusals)}>
        Save
      </button>
    </>
  )
}

it('says beside a field what is refused of it, and in a toast what is refused of a value without one', () => {
  const error = vi.spyOn(notify, 'error').mockImplementation(() => '')
  const tooLong = refusal('The maker is too long.', 'input', 'maker')
  const refusals = [
    refusal('There is such a group.', 'input', 'name'),
    tooLong,
    refusal('A product is named twice.', 'input', 'order'),
    refusal('The group is gone.'),
  ]
  const { rerender } = render(<Form hasMaker refusals={refusals} />)
  fireEvent.click(screen.getByRole('button'))
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription('There is such a group.')
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus()
  expect(screen.getByRole('textbox', { name: 'Maker' })).toHaveAccessibleDescription('The maker is too long.')
  expect(error.mock.calls).toEqual([['A product is named twice.'], ['The group is gone.']])

  rerender(<Form hasMaker={false} refusals={[tooLong]} />)
  fireEvent.click(screen.getByRole('button'))
  expect(error).toHaveBeenLastCalledWith('The maker is too long.')
})
