import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../testing/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

/** Where the shop does not do what the specification recommends or permits, and why. It does all that the specification demands. */
const ON_PURPOSE: Record<string, string> = {
  '572B': 'warn: a document that cannot be parsed is 400 for every client, so that a refusal is seen as one',
  FDE2: 'warn: the same for a document that is not valid',
  '7B9B': 'warn: the same for variables of a wrong type',
  '5A70': 'notice: a GET needs the preflight header, which keeps other sites out',
  D6D5: 'notice: the same with variables',
  '6A70': 'notice: the same with variables',
}

const audits = serverAudits({ url: () => `${shop.url}/graphql` })

test.each(audits.map(audit => [audit.id, audit.name, audit] as const))('%s: %s', async (id, _name, audit) => {
  const { status } = await audit.fn()
  expect(status).toBe(ON_PURPOSE[id]?.split(':')[0] ?? 'ok')
})
