import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { Button } from './Button.tsx'
import { Picture } from './Picture.tsx'
import { QuantitySelect } from './QuantitySelect.tsx'
import { RatingInput } from './RatingInput.tsx'
import { Stars } from './Stars.tsx'
import { TextField } from './TextField.tsx'
import { present } from '#schema/rules/present'

test('a button that cannot be pressed says why and stays focusable', async () => {
  const press = vi.fn()
  render(
    <Button disabledReason="The cart is empty." onClick={press}>
      Checkout
    </Button>,
  )
  const button = screen.getByRole('button', { name: /Checkout/ })
  await userEvent.click(button)
  expect(press).not.toHaveBeenCalled()
  expect(button).toHaveAttribute('aria-disabled', 'true')
  expect(button).toHaveAccessibleDescription('The cart is empty.')
})

test('a loading submit button does not send its form again', async () => {
  const submit = vi.fn(event => event.preventDefault())
  render(
    <form onSubmit={submit}>
      <Button type="submit" loading>
        Save
      </Button>
    </form>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(submit).not.toHaveBeenCalled()
})

test('a field is described by its hint and by what is wrong with it', () => {
  render(<TextField label="Email" hint="We never share it." error="Please enter an email address." />)
  const field = screen.getByRole('textbox', { name: 'Email' })
  expect(field).toBeInvalid()
  expect(field).toHaveAccessibleDescription('We never share it. Please enter an email address.')
})

test.each([
  [4.5, 'inset(0 10% 0 0)', '4.5 out of 5 stars'],
  [4.99, 'inset(0 10% 0 0)', '5 out of 5 stars'],
  [4.24, 'inset(0 20% 0 0)', '4.2 out of 5 stars'],
  [5, 'inset(0 0% 0 0)', '5 out of 5 stars'],
])('%d stars are filled by halves, and five only for five', (rating, clip, words) => {
  const { container } = render(<Stars rating={rating} />)
  expect(getComputedStyle(present(container.querySelector('path:last-child'))).clipPath).toBe(clip)
  expect(screen.getByText(words)).toBeInTheDocument()
})

test('quantities run from one to the stock count', async () => {
  const choose = vi.fn()
  render(<QuantitySelect value={1} max={3} onChange={choose} />)
  expect(screen.getAllByRole('option').map(option => option.textContent)).toEqual(['1', '2', '3'])
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Quantity' }), '3')
  expect(choose).toHaveBeenCalledWith(3)
})

test('quantities beyond twenty are typed, up to the stock count', async () => {
  const chosen: number[] = []
  function Line() {
    const [value, setValue] = useState(1)
    return (
      <QuantitySelect
        label="Quantity"
        value={value}
        max={4372}
        onChange={quantity => (chosen.push(quantity), setValue(quantity))}
      />
    )
  }
  render(<Line />)
  expect(screen.getAllByRole('option').map(option => option.textContent)).toEqual([
    ...Array.from({ length: 20 }, (_, index) => String(index + 1)),
    '21 or more …',
  ])
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Quantity' }), '21 or more …')
  const field = screen.getByRole('textbox', { name: 'Quantity' })
  expect(field).toHaveFocus()
  expect(field).toHaveValue('21')
  await userEvent.keyboard('4,372')
  expect(chosen.at(-1)).toBe(4372)
  await userEvent.tab()
  expect(field).toHaveValue('4372')
  expect(field).toBeValid()

  await userEvent.clear(field)
  await userEvent.type(field, '5000')
  await userEvent.tab()
  expect(field).toHaveValue('4372')
  expect(field).toHaveAccessibleDescription('Only 4,372 in stock.')
  await userEvent.clear(field)
  await userEvent.type(field, 'some')
  await userEvent.tab()
  expect(field).toHaveValue('4372')
  expect(Math.max(...chosen)).toBe(4372)
})

test('a picture that is missing or cannot be seen is drawn as such', () => {
  const { rerender } = render(<Picture src="/uploads/gone.webp" alt="yarn" sizes="100vw" />)
  fireEvent.error(screen.getByRole('img', { name: 'yarn' }))
  expect(screen.getByRole('img', { name: 'yarn: no picture yet' })).toHaveTextContent('No picture yet')
  rerender(<Picture src="/uploads/there.webp" alt="yarn" sizes="100vw" />)
  expect(screen.getByRole('img', { name: 'yarn' })).toHaveAttribute('src', '/uploads/there.webp?w=640')
  rerender(<Picture src="/images/sample.webp" alt="yarn" sizes="100vw" />)
  expect(screen.getByRole('img', { name: 'yarn: no picture yet' })).toBeInTheDocument()
})

test('a picture of the shop is offered as AVIF first, one from elsewhere as it is', () => {
  const { container, rerender } = render(<Picture src="/uploads/x.webp" alt="yarn" sizes="100vw" />)
  const source = container.querySelector('picture > source[type="image/avif"]')
  expect(source).toHaveAttribute('srcset', expect.stringContaining('/uploads/x.webp?w=320&as=avif 320w'))
  rerender(<Picture src="https://elsewhere.example/x.jpg" alt="yarn" sizes="100vw" />)
  expect(container.querySelector('source')).toBeNull()
})

test('a picture is shown at the address SPEC §3 gives it', () => {
  render(<Picture src="/backend/uploads/x.webp" alt="yarn" sizes="100vw" />)
  expect(screen.getByRole('img')).toHaveAttribute('src', '/uploads/x.webp?w=640')
})

test('stars are chosen like radio buttons, each with its meaning', async () => {
  const choose = vi.fn()
  render(<RatingInput label="Rating" value={0} onChange={choose} labels={{ 2: 'A bit tangled' }} />)
  await userEvent.click(screen.getByRole('radio', { name: '2: A bit tangled' }))
  expect(choose).toHaveBeenCalledWith(2)
})
