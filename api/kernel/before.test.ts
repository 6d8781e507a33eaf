import { expect, it } from 'vitest'
import { before } from './before.ts'

const never = new Promise<never>(() => {})
const reason = new Error('too late')

it('gives what comes of the promise', async () => {
  const { signal } = new AbortController()
  expect(await before(signal, Promise.resolve(1))).toBe(1)
  await expect(before(signal, Promise.reject(reason))).rejects.toBe(reason)
})

it('waits no longer than the signal, whether it comes later or has come already', async () => {
  const later = new AbortController()
  const waiting = before(later.signal, never)
  later.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  await expect(before(later.signal, never)).rejects.toBe(reason)
})

it('leaves nothing unhandled when the promise fails after all', async () => {
  const failing = Promise.withResolvers<never>()
  const waiting = before(AbortSignal.abort(reason), failing.promise)
  await expect(waiting).rejects.toBe(reason)
  failing.reject(new Error('failed after all'))
  await new Promise(setImmediate)
})
