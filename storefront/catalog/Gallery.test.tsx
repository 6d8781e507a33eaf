import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { Gallery } from './Gallery.tsx'
import { nth } from '#schema/rules/present'

// The test environment has no layout: every box is 400 pixels wide and scrolls at once.
beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400)
  Element.prototype.scrollTo = function (this: Element, to?: ScrollToOptions | number) {
    this.scrollLeft = (to as ScrollToOptions).left ?? 0
    fireEvent.scroll(this)
  } as Element['scrollTo']
})

const pictures = [
  { image: '/uploads/skein.webp', alt: 'The skein' },
  { image: '/uploads/swatch.webp', alt: 'A swatch under a ruler' },
  { image: '/uploads/ply.webp', alt: '' },
]
const shownThumb = () =>
  screen.getAllByRole('button', { name: /^Show/ }).filter(button => button.getAttribute('aria-current') === 'true')

test('arrow keys go through the pictures, round at the ends, and take the focus along', async () => {
  const user = userEvent.setup()
  render(<Gallery name="Fen Merino" pictures={pictures} />)
  const gallery = screen.getByRole('group', { name: 'Pictures of Fen Merino' })
  expect(within(gallery).getByRole('img', { name: 'A swatch under a ruler' })).toBeInTheDocument()
  expect(within(gallery).getByRole('img', { name: 'Fen Merino, picture 3' })).toBeInTheDocument()
  expect(screen.getByText('1 of 3')).toBeInTheDocument()

  await user.tab()
  expect(screen.getByRole('button', { name: 'Enlarge picture 1 of 3: The skein' })).toHaveFocus()
  await user.keyboard('{ArrowRight}')
  expect(screen.getByRole('button', { name: 'Enlarge picture 2 of 3: A swatch under a ruler' })).toHaveFocus()
  expect(screen.getByText('2 of 3')).toBeInTheDocument()
  await user.keyboard('{End}{ArrowRight}{ArrowLeft}')
  expect(screen.getByRole('button', { name: 'Enlarge picture 3 of 3: Fen Merino, picture 3' })).toHaveFocus()

  // The tab key stops at one picture and at one thumbnail.
  await user.tab()
  expect(screen.getByRole('button', { name: 'Show picture 3 of 3: Fen Merino, picture 3' })).toHaveFocus()
  await user.keyboard('{Home}')
  expect(screen.getByRole('button', { name: 'Show picture 1 of 3: The skein' })).toHaveFocus()
  expect(shownThumb()).toEqual([screen.getByRole('button', { name: 'Show picture 1 of 3: The skein' })])
})

test('thumbnails and buttons show their picture, and swiping tells which one it led to', async () => {
  const user = userEvent.setup()
  render(<Gallery name="Fen Merino" pictures={pictures} />)
  await user.click(screen.getByRole('button', { name: 'Show picture 3 of 3: Fen Merino, picture 3' }))
  expect(screen.getByText('3 of 3')).toBeInTheDocument()
  await user.click(screen.getByTitle('Next picture'))
  expect(screen.getByText('1 of 3')).toBeInTheDocument()
  await user.click(screen.getByTitle('Previous picture'))
  expect(screen.getByText('3 of 3')).toBeInTheDocument()

  const track = nth(screen.getAllByRole('list'), 0)
  track.scrollLeft = 390
  fireEvent.scroll(track)
  expect(screen.getByText('2 of 3')).toBeInTheDocument()
})

test('one picture has neither thumbnails nor buttons, and can be enlarged', () => {
  render(<Gallery name="Fen Merino" pictures={pictures.slice(0, 1)} />)
  expect(screen.getByRole('img', { name: 'The skein' })).toBeInTheDocument()
  expect(screen.getAllByRole('button')).toEqual([screen.getByRole('button', { name: 'Enlarge picture: The skein' })])
})

test('what has no picture yet has nothing to enlarge', () => {
  render(<Gallery name="Fen Merino" pictures={[{ image: '/images/sample.webp', alt: '' }]} />)
  expect(screen.getByRole('img', { name: 'Fen Merino: no picture yet' })).toBeInTheDocument()
  expect(screen.queryByRole('button')).not.toBeInTheDocument()
})

test('enlarged, the keys go on from picture to picture, and Escape leads back to the one looked at last', async () => {
  const user = userEvent.setup()
  render(<Gallery name="Fen Merino" pictures={pictures} />)
  await user.click(screen.getByRole('button', { name: 'Enlarge picture 1 of 3: The skein' }))
  const zoom = await screen.findByRole('dialog', { name: 'Pictures of Fen Merino, enlarged' })
  expect(within(zoom).getByRole('group', { name: 'Picture 1 of 3' })).toBeInTheDocument()
  await user.keyboard('{ArrowRight}')
  expect(await within(zoom).findByRole('group', { name: 'Picture 2 of 3' })).toBeInTheDocument()
  await user.keyboard('{Escape}')
  expect(screen.getByRole('button', { name: 'Enlarge picture 2 of 3: A swatch under a ruler' })).toHaveFocus()
  expect(screen.getByText('2 of 3')).toBeInTheDocument()
})
