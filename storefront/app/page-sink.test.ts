// @vitest-environment node
import { expect, it } from 'vitest'
import { PageSink } from './page-sink.ts'

/** A page of these pieces, with texts put in before its body. */
const pageOf = (pieces: (string | Uint8Array)[], ...texts: string[]) =>
  new Promise<string>(resolve => {
    const sink = new PageSink(() => resolve(sink.insertBefore('<body>', ...texts).toString()))
    for (const piece of pieces) sink.write(piece)
    sink.end()
  })

it('puts a page together from texts and bytes, in any alphabet', async () => {
  expect(await pageOf(['<head>', Buffer.from('毛糸 “DK”'), '<body>', 'ü🧶'], '<style>', '…</style>')).toBe(
    '<head>毛糸 “DK”<style>…</style><body>ü🧶',
  )
})

it('takes pages of any length', async () => {
  const long = '毛'.repeat(400_000)
  expect(await pageOf(['<body>', long, Buffer.from(long)], long)).toBe(`${long}<body>${long}${long}`)
})

it('gives nothing of one page to another, also while both are written', async () => {
  const first = new PageSink(() => {})
  first.write(`<body>${'a'.repeat(1_000)}`)
  expect(await pageOf(['<body>b'], '')).toBe('<body>b')
  first.write('a')
  expect(first.insertBefore('<body>', '').toString()).toBe(`<body>${'a'.repeat(1_001)}`)
  expect(await pageOf(['<body>c'], '')).toBe('<body>c')
})
