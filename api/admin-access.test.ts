import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { upload } from './testing/admin.ts'
import { makeUser, openShop, type Account, type TestShop } from './testing/shop.ts'

let shop: TestShop
let admin: Account
let shopper: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
  shopper = await makeUser(shop.em())
})
afterAll(() => shop?.close())

const ID = '"0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c"'

/** Every operation that is for administrators only, with the least it can be asked. */
const operations = {
  adminProducts: 'query { adminProducts { total } }',
  categories: 'query { categories }',
  productStats: 'query { productStats { totalProducts } }',
  exportProducts: 'query { exportProducts }',
  productImportTemplate: 'query { productImportTemplate }',
  productImport: `query { productImport(id: ${ID}) { id } }`,
  productImports: 'query { productImports { total } }',
  orders: 'query { orders { total } }',
  orderCounts: 'query { orderCounts { all } }',
  orderStats: 'query { orderStats { totalOrders } }',
  users: 'query { users { total } }',
  user: `query { user(id: ${ID}) { id } }`,
  userStats: 'query { userStats { totalUsers } }',
  reviews: 'query { reviews { total } }',
  dashboard: 'query { dashboard { period } }',
  auditLog: 'query { auditLog { total } }',
  createProduct: 'mutation { createProduct { userErrors { code } } }',
  patchProduct: `mutation { patchProduct(id: ${ID}, input: {}) { userErrors { code } } }`,
  bulkUpdateProducts: `mutation { bulkUpdateProducts(ids: [${ID}], change: { archive: true }) { userErrors { code } } }`,
  deleteProduct: `mutation { deleteProduct(id: ${ID}) { userErrors { code } } }`,
  deliverOrder: `mutation { deliverOrder(id: ${ID}) { userErrors { code } } }`,
  deliverOrders: `mutation { deliverOrders(ids: [${ID}]) { userErrors { code } } }`,
  resolveAttention: `mutation { resolveAttention(orderId: ${ID}) { userErrors { code } } }`,
  updateUser: `mutation { updateUser(id: ${ID}, input: { name: "N", email: "n@example.com", isAdmin: true }) { userErrors { code } } }`,
  deleteUser: `mutation { deleteUser(id: ${ID}) { userErrors { code } } }`,
  hideReview: `mutation { hideReview(id: ${ID}, reason: "R") { userErrors { code } } }`,
  restoreReview: `mutation { restoreReview(id: ${ID}) { userErrors { code } } }`,
  applyImport: `mutation { applyImport(id: ${ID}) { userErrors { code } } }`,
  undoImport: `mutation { undoImport(id: ${ID}) { userErrors { code } } }`,
}

describe.each(Object.entries(operations))('%s', (_field, operation) => {
  it('asks a visitor to sign in', async () => {
    expect(await shop.gql(operation)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
  })

  it('is forbidden to a shopper', async () => {
    expect(await shop.gql(operation, {}, shopper)).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
  })

  it('answers an administrator', async () => {
    const answer = await shop.gql(operation, {}, admin)
    expect(answer.errors).toBeUndefined()
    expect(answer.status).toBe(200)
  })
})

it.each([
  ['uploadPicture', 'file', 'mutation($file: Upload!) { uploadPicture(file: $file) { userErrors { code } } }'],
  ['importProducts', 'csv', 'mutation($csv: Upload!) { importProducts(csv: $csv) { userErrors { code } } }'],
])('%s takes files of administrators only', async (_field, variable, operation) => {
  const file = new Blob(['not much'])
  expect(await upload(shop, null, operation, variable, file)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
  expect(await upload(shop, shopper, operation, variable, file)).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
  expect((await upload(shop, admin, operation, variable, file)).errors).toBeUndefined()
})

it('covers every operation that says it is for administrators', async () => {
  const { data } = await shop.gql('{ __schema { queryType { fields { name description } } mutationType { fields { name description } } } }')
  const all = [...data.__schema.queryType.fields, ...data.__schema.mutationType.fields] as { name: string; description: string }[]
  const named = all.filter(({ description }) => description.includes('Administrators only')).map(({ name }) => name)
  expect(named.filter(name => !(name in operations)).sort()).toEqual(['importProducts', 'updateProduct', 'uploadPicture'])
})
