import { parse } from 'graphql'
import { expect, it } from 'vitest'
import { persistedQueries, sizeOfDocument, validDocuments } from './stores.ts'
import { present } from '#schema/rules/present'

it('documents are counted with their comments and all their tokens', () => {
  const short = sizeOfDocument(parse('{ shop { name } }'))
  expect(sizeOfDocument(parse(`{ shop { name } } # ${'x'.repeat(10_000)}`))).toBeGreaterThan(short + 20_000)
  expect(sizeOfDocument(parse(`{ shop { ${'name '.repeat(100)} } }`))).toBeGreaterThan(short + 40_000)
})

it('documents in different comments take no more than their budget', async () => {
  const store = validDocuments()
  for (let count = 0; count < 1_000; count++)
    await store.set(String(count), parse(`{ shop { name } } #${count} ${'x'.repeat(90_000)}`))
  const kept = await Promise.all(store.keys().map(key => store.get(key)))
  expect(kept.length).toBeGreaterThan(100)
  expect(kept.reduce((bytes, document) => bytes + sizeOfDocument(present(document)), 0)).toBeLessThanOrEqual(
    32 * 2 ** 20,
  )
})

it('persisted queries take no more than their budget, and a very long one is not kept', async () => {
  const store = persistedQueries()
  for (let count = 0; count < 1_000; count++) await store.set(`apq:${count}`, 'x'.repeat(20_000))
  const kept = await Promise.all(store.keys().map(key => store.get(key)))
  expect(kept.length).toBeGreaterThan(100)
  expect(kept.reduce((bytes, text) => bytes + present(text).length * 2, 0)).toBeLessThanOrEqual(8 * 2 ** 20)
  await store.set('apq:long', 'x'.repeat(100_000))
  expect(await store.get('apq:long')).toBeUndefined()
})
