import { setTimeout } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { bytesOf, SharedCache, Sources } from './shared-cache.ts'
import { present } from '#schema/rules/present'

const texts = (budget: Partial<{ keepMs: number; bytes: number; largest: number }> = {}) =>
  new SharedCache<{ text: string }>({
    keepMs: 60_000,
    bytes: 100_000,
    largest: 10_000,
    ...budget,
    sizeOf: ({ text }) => bytesOf(text),
  })

it('holds no more bytes than its budget, however many are put in', () => {
  const cache = texts()
  for (let count = 0; count < 500; count++) cache.reserve(`key ${count}`)({ text: 'x'.repeat(4_000) }, new Sources())
  expect(cache.bytes).toBeGreaterThan(80_000)
  expect(cache.bytes).toBeLessThanOrEqual(100_000)
  expect([cache.get('key 499'), cache.get('key 0')]).toEqual([{ text: expect.any(String) }, undefined])
})

it('keeps nothing that is larger than its largest entry, the key counted', () => {
  const cache = texts()
  cache.reserve('large')({ text: 'x'.repeat(5_000) }, new Sources())
  cache.reserve('k'.repeat(5_000))({ text: 'x' }, new Sources())
  expect(cache.bytes).toBe(0)
})

it('lets go of what has expired, though nobody asks for it again', async () => {
  const cache = texts({ keepMs: 20 })
  cache.reserve('key')({ text: 'x' }, new Sources())
  expect(cache.bytes).toBeGreaterThan(0)
  await vi.waitFor(() => expect(cache.bytes).toBe(0), 10_000)
})

it('keeps nothing for no time', async () => {
  const cache = texts({ keepMs: 0 })
  cache.reserve('key')({ text: 'x' }, new Sources())
  await setTimeout(1)
  expect([cache.get('key'), cache.bytes]).toEqual([undefined, 0])
})

it('keeps nothing that was begun before a change', () => {
  const cache = texts()
  const put = cache.reserve('key')
  cache.forget()
  put({ text: 'old' }, new Sources())
  expect(cache.get('key')).toBeUndefined()
})

it('has one made for all who ask meanwhile, but none who asks after a change gets one begun before', async () => {
  const cache = texts()
  const [first, second] = [Promise.withResolvers<{ text: string }>(), Promise.withResolvers<{ text: string }>()]
  const make = vi
    .fn<() => Promise<{ text: string }>>()
    .mockReturnValueOnce(first.promise)
    .mockReturnValueOnce(second.promise)
  const ask = () => cache.share('key', make, () => true)
  const before = [ask(), ask()]
  expect(make).toHaveBeenCalledTimes(1)
  cache.forget()
  const after = [ask(), ask()]
  second.resolve({ text: 'new' })
  expect(await Promise.all(after)).toEqual([{ text: 'new' }, { text: 'new' }])
  first.resolve({ text: 'old' })
  expect(await Promise.all(before)).toEqual([{ text: 'old' }, { text: 'old' }])
  expect(await ask()).toEqual({ text: 'new' })
  expect(make).toHaveBeenCalledTimes(2)
})

it('makes again what failed, and what is not to last', async () => {
  const cache = texts()
  await expect(
    cache.share(
      'key',
      () => Promise.reject(new Error('no')),
      () => true,
    ),
  ).rejects.toThrow('no')
  expect(
    await cache.share(
      'key',
      async () => ({ text: 'sorry' }),
      ({ text }) => text !== 'sorry',
    ),
  ).toEqual({ text: 'sorry' })
  expect(
    await cache.share(
      'key',
      async () => ({ text: 'well' }),
      () => true,
    ),
  ).toEqual({ text: 'well' })
})

const of = (...tags: string[]): Sources => {
  const sources = new Sources()
  for (const tag of tags) sources.tags.add(tag)
  return sources
}

it('forgets what has a tag, and nothing else', () => {
  const cache = texts()
  cache.reserve('one')({ text: '1' }, of('a'))
  cache.reserve('both')({ text: '2' }, of('a', 'b'))
  cache.reserve('other')({ text: '3' }, of('b'))
  cache.forgetTagged(['a', 'c'])
  expect(['one', 'both', 'other'].map(key => cache.get(key)?.text)).toEqual([undefined, undefined, '3'])
  expect(['one', 'other'].map(key => cache.holds(key))).toEqual([false, true])
  // What is stored again has the tags it has now.
  cache.reserve('other')({ text: '5' }, of('a'))
  cache.forgetTagged(['b'])
  expect(cache.get('other')).toEqual({ text: '5' })
  cache.forgetTagged(['a'])
  expect(cache.get('other')).toBeUndefined()
  expect(cache.bytes).toBe(0)
})

it('keeps what was begun before a change when it has none of its tags', () => {
  const cache = texts()
  const [one, other] = ['one', 'other'].map(key => cache.reserve(key))
  cache.forgetTagged(['a'])
  present(one)({ text: 'old' }, of('a', 'b'))
  present(other)({ text: 'good' }, of('b'))
  expect(['one', 'other'].map(key => cache.get(key)?.text)).toEqual([undefined, 'good'])
})

it('remembers a bounded number of changes, and nothing is true any more that is older than those', () => {
  const cache = texts()
  const put = cache.reserve('late')
  cache.reserve('early')({ text: 'old' }, of('product 1'))
  for (let change = 0; change < 20_000; change++) cache.forgetTagged([`product ${change}`])
  put({ text: 'old' }, of('product 1'))
  expect(['early', 'late'].map(key => cache.get(key))).toEqual([undefined, undefined])
})

it('makes anew what is asked for after a product changed, whatever is in the making shows', async () => {
  const cache = texts()
  const slow = Promise.withResolvers<{ text: string }>()
  const before = cache.share(
    'key',
    () => slow.promise,
    () => true,
  )
  cache.forgetTagged(['a'])
  const after = cache.share(
    'key',
    async sources => {
      sources.tags.add('a')
      return { text: 'new' }
    },
    () => true,
  )
  slow.resolve({ text: 'old' })
  expect([await before, await after]).toEqual([{ text: 'old' }, { text: 'new' }])
})
