import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { KeptPage } from './kept-page.ts'

it('a page that is kept has a hash for each of its own inline scripts and styles', () => {
  const inline = { scripts: ['a()'], styles: ['b{}', 'c{}'] }
  const page = new KeptPage({ status: 200, html: Buffer.from('<p>Knit'), inline })
  const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  expect(page.hashes).toEqual({ scripts: [sha256('a()')], styles: [sha256('b{}'), sha256('c{}')] })
})
