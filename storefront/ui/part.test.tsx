import { act, render, screen } from '@testing-library/react'
import { lazy } from 'react'
import { expect, it, vi } from 'vitest'
import { onMissingProgram } from './missing-program.ts'
import { Part } from './Part.tsx'

it('a part whose program does not come leaves the rest of the page as it is', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const tell = vi.fn()
  onMissingProgram(tell)
  // The build's loader does the same.
  const Missing = lazy(() => {
    const error = new TypeError('Failed to fetch dynamically imported module')
    dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }))
    return Promise.reject(error)
  })
  await act(async () => {
    render(
      <>
        <input aria-label="Comment" defaultValue="Soft and round" />
        <Part fallback="Wait">
          <Missing />
        </Part>
      </>,
    )
  })
  expect(tell).toHaveBeenCalledOnce()
  expect(screen.getByLabelText<HTMLInputElement>('Comment').value).toBe('Soft and round')
  expect(screen.queryByText('Wait')).toBeNull()
})

it('a part that fails otherwise is an error of the page', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const Broken = (): never => {
    throw new Error('dropped a stitch')
  }
  expect(() =>
    render(
      <Part>
        <Broken />
      </Part>,
    ),
  ).toThrow('dropped a stitch')
})
