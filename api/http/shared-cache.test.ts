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

const showing = (ids: string[], areAll = true): Sources => {
  const sources = new Sources()
  for (const id of ids) sources.ids.add(id)
  sources.areAll = areAll
  return sources
}

it('forgets what shows a product, and what may, and nothing else', () => {
  const cache = texts()
  cache.reserve('one')({ text: '1' }, showing(['a']))
  cache.reserve('both')({ text: '2' }, showing(['a', 'b']))
  cache.reserve('other')({ text: '3' }, showing(['b']))
  cache.reserve('any')({ text: '4' }, showing([], false))
  cache.forgetProducts(['a'])
  expect(['one', 'both', 'other', 'any'].map(key => cache.get(key)?.text)).toEqual([
    undefined,
    undefined,
    '3',
    undefined,
  ])
  // An answer that is stored again is found by what it shows now.
  cache.reserve('other')({ text: '5' }, showing(['a']))
  cache.forgetProducts(['b'])
  expect(cache.get('other')).toEqual({ text: '5' })
  cache.forgetProducts(['a'])
  expect(cache.get('other')).toBeUndefined()
  expect(cache.bytes).toBe(0)
})

it('keeps what was begun before a product changed when it does not show that one', () => {
  const cache = texts()
  const [one, other, any] = ['one', 'other', 'any'].map(key => cache.reserve(key))
  cache.forgetProducts(['a'])
  present(one)({ text: 'old' }, showing(['a']))
  present(other)({ text: 'good' }, showing(['b']))
  present(any)({ text: 'old' }, showing(['b'], false))
  expect(['one', 'other', 'any'].map(key => cache.get(key)?.text)).toEqual([undefined, 'good', undefined])
})

it('remembers a bounded number of changes, and keeps nothing that was begun before those', () => {
  const cache = texts()
  const put = cache.reserve('key')
  for (let change = 0; change < 1_000; change++) cache.forgetProducts([`product ${change}`])
  put({ text: 'old' }, showing(['product 1']))
  expect(cache.get('key')).toBeUndefined()
})

it('makes anew what is asked for after a product changed, whatever is in the making shows', async () => {
  const cache = texts()
  const slow = Promise.withResolvers<{ text: string }>()
  const before = cache.share(
    'key',
    () => slow.promise,
    () => true,
  )
  cache.forgetProducts(['a'])
  const after = cache.share(
    'key',
    async sources => {
      sources.ids.add('a')
      return { text: 'new' }
    },
    () => true,
  )
  slow.resolve({ text: 'old' })
  expect([await before, await after]).toEqual([{ text: 'old' }, { text: 'new' }])
})
