// @vitest-environment node
import { expect, test, vi } from 'vitest'
import { slugOf } from '#schema/rules/slug'
import { render } from './entry-server.tsx'
import { madeUpAnswers } from './testing/made-up-answers.ts'
import { Skeleton } from './ui/Skeleton.tsx'

const keeping = vi.hoisted(() => ({ isOn: true, begin: () => {} }))
vi.mock('./app/fragments.tsx', async original => {
  const { keepFor, ...others } = await original<typeof import('./app/fragments.tsx')>()
  return {
    ...others,
    keepFor(sheet: Parameters<typeof keepFor>[0]) {
      keeping.begin()
      return keeping.isOn ? keepFor(sheet) : null
    },
  }
})

const NAME = 'Merino “DK” <b>'
const given = {
  'Product.name': NAME,
  'Product.expectedOn': '2026-12-24',
  'ProductFacetValue.value': 'MERINO',
  'DeliveryTerms.today': '2026-11-20',
}
const link = madeUpAnswers(given)
const manifest = { entry: '/entry.js', preload: () => ['/page.js'] }
const pageAt = async (path: string, isKept: boolean) => {
  keeping.isOn = isKept
  const page = await render(new Request(`http://localhost${path}`), {
    link,
    manifest,
    shop: { name: 'Skein', tagline: 'For people who read the label.', currency: 'USD' },
  })
  return { ...page, html: 'html' in page && page.html.toString() }
}

test.each([
  '/',
  '/?q=1',
  '/page/2',
  '/search/merino',
  '/yarn',
  '/yarn/lace?colour=red&sort=price',
  '/top-rated',
  '/collections',
  `/product/1/${slugOf(NAME)}`,
  '/cart',
  '/login',
  '/about',
  '/no/such/page',
])('%s is the same with fragments that were rendered for other pages', async path => {
  const failures = vi.spyOn(console, 'error')
  const plain = await pageAt(path, false)
  expect(plain.status).toBe(path === '/no/such/page' ? 404 : 200)
  expect(await pageAt(path, true)).toEqual(plain)
  expect(await pageAt(path, true)).toEqual(plain)
  expect(failures).not.toHaveBeenCalled()
})

test.each(['/', '/search/merino', '/yarn', '/top-rated', `/product/1/${slugOf(NAME)}`])(
  '%s has nothing on it, and no style, of what browsers show while it is loading',
  async path => {
    const { html } = await pageAt(path, true)
    expect(html).toContain('</main>')
    expect(html).not.toContain(Skeleton.styledComponentId)
  },
)

test('pages that are asked for at once begin in different rounds of the event loop', async () => {
  let round = 0
  const begun: number[] = []
  const next = () => {
    round++
    if (begun.length < 5) setImmediate(next)
  }
  setImmediate(next)
  keeping.begin = () => begun.push(round)
  await Promise.all(Array.from({ length: 5 }, () => pageAt('/about', true)))
  expect(new Set(begun).size).toBe(5)
})
