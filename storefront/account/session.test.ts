import { afterEach, expect, test, vi } from 'vitest'
import { present } from '#schema/rules/present'

const ada = { _id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: false, token: 't' }

// Each test loads the module again, as a new page would.
async function open() {
  vi.resetModules()
  return import('./session.ts')
}

afterEach(() => localStorage.clear())

test('a session outlives the page and ends with signOut', async () => {
  const first = await open()
  expect(first.currentSession()).toBeNull()
  first.signIn({ ...ada, password: 'never kept' } as never)
  expect(JSON.parse(present(localStorage.getItem('userInfo')))).toEqual(ada)

  const second = await open()
  expect(second.currentSession()).toEqual(ada)
  second.signOut()
  expect(localStorage.getItem('userInfo')).toBeNull()
})

test.each(['{', 'null', '[]', '"x"', '{"name":"Ada"}', '{"_id":"u1","name":"Ada","token":""}'])(
  '%s in the storage is no session',
  async raw => {
    localStorage.setItem('userInfo', raw)
    expect((await open()).currentSession()).toBeNull()
  },
)

test('follows what another tab does', async () => {
  const { currentSession } = await open()
  expect(currentSession()).toBeNull()
  localStorage.setItem('userInfo', JSON.stringify(ada))
  window.dispatchEvent(new StorageEvent('storage', { key: 'userInfo' }))
  expect(currentSession()?.name).toBe('Ada')
  localStorage.clear()
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
  expect(currentSession()).toBeNull()
})
