import {
  getNamedType,
  isCompositeType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLNamedType,
} from 'graphql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { schema } from '../schema.ts'
import { ask } from '../testing/admin.ts'
import { bought, line } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'
import { present } from '#schema/rules/present'

/** Deep enough for an order's history, and who wrote it. */
const DEPTH = 4

let shop: TestShop
// Short pages keep the queries below the cost limit.
beforeAll(async () => {
  shop = await openShop({ pageSize: 3 })
})
afterAll(() => shop?.close())

const isFree = ({ args }: GraphQLField<unknown, unknown>) =>
  args.every(({ type, defaultValue }) => !isNonNullType(type) || defaultValue !== undefined)

/** Whether a type has an id, or leads to a type that has one. */
function leadsToIds(type: GraphQLNamedType, seen = new Set<GraphQLNamedType>()): boolean {
  if (!isObjectType(type) || seen.has(type)) return false
  seen.add(type)
  const fields = Object.values(type.getFields())
  return fields.some(field => field.name === 'id' || (isFree(field) && leadsToIds(getNamedType(field.type), seen)))
}

/** Selects everything of a type that needs no arguments. */
function everything(type: GraphQLNamedType, depth = 1): string {
  if (!isCompositeType(type)) return ''
  const fields = isObjectType(type)
    ? Object.values(type.getFields()).filter(field => isFree(field) && !field.deprecationReason)
    : []
  const written = fields.flatMap(field => {
    const inner = getNamedType(field.type)
    if (!isCompositeType(inner)) return field.name
    // A connection or a group within a thing leads to what the lists lead to anyway, as do substitutes, goesWith, collections,
    // downloads and one's own review.
    // A type without an id, which leads to nothing with an id, cannot contradict itself.
    const again =
      inner.name === 'ProductGroup' ||
      (type.name === 'Collection' && inner.name === 'Product') ||
      !leadsToIds(inner) ||
      (depth > 1 &&
        (inner.name.endsWith('Connection') ||
          ['substitutes', 'goesWith', 'downloads', 'viewerReview'].includes(field.name)))
    return depth < DEPTH && !again ? `${field.name} ${everything(inner, depth + 1)}` : []
  })
  return `{ __typename ${written.join(' ')} }`
}

interface Identified {
  __typename: string
  [field: string]: unknown
}

/** Every object in an answer that has an id. */
function identified(value: unknown): Identified[] {
  if (Array.isArray(value)) return value.flatMap(identified)
  if (typeof value !== 'object' || value === null) return []
  return [...('id' in value ? [value as unknown as Identified] : []), ...Object.values(value).flatMap(identified)]
}

/** What caches could not merge: fields that differ between two objects with one id, and ids that stand for two types. */
function contradictions(objects: readonly Identified[]): string[] {
  const known = new Map<string, Identified>()
  return objects.flatMap(({ __typename, id, ...fields }) => {
    const first: Identified = known.get(id as string) ?? { __typename }
    known.set(id as string, { ...fields, ...first })
    if (first.__typename !== __typename) return `${first.__typename} and ${__typename} share an id`
    return Object.keys(fields)
      .filter(name => typeof fields[name] !== 'object' && name in first && first[name] !== fields[name])
      .map(name => `${__typename}.${name}: ${first[name]} and ${fields[name]}`)
  })
}

it('no id stands for two things, or for one thing at two moments', async () => {
  const em = shop.em()
  const admin = await makeUser(em, { name: 'Ada Admin', isAdmin: true })
  const product = await makeProduct(em, { countInStock: 100 })
  const rename = (name: string) =>
    ask(shop, admin, 'mutation ($input: ProfileInput!) { updateProfile(input: $input) { userErrors { code } } }', {
      input: { name, email: admin.user.email },
    })
  const deliver = (id: string) =>
    ask(shop, admin, 'mutation ($id: ID!) { deliverOrder(id: $id) { userErrors { code } } }', { id })
  const review =
    'mutation ($id: ID!) { createReview(productId: $id, input: { rating: 4, comment: "Round." }) { userErrors { code } } }'
  await deliver((await bought(shop, admin, [line(product)])).id)
  await ask(shop, admin, review, { id: product.id })
  const { issueGiftCard } = await ask(
    shop,
    admin,
    'mutation { issueGiftCard(input: { amount: 100, idempotencyKey: "a-key-of-twenty-letters" }) { code } }',
  )
  await bought(shop, admin, [line(product)], { giftCards: [issueGiftCard.code] })
  await ask(
    shop,
    admin,
    'mutation ($id: ID) { createApiKey(input: { name: "Till", scopes: [ADMIN], accountId: $id }) { apiKey { id } } }',
    { id: admin.id },
  )
  await ask(
    shop,
    admin,
    'mutation { createWebhook(input: { url: "https://warehouse.example.com/skein", events: [ORDER_PAID] }) { webhook { id } } }',
  )
  await rename('Ada Lovelace')
  await deliver((await bought(shop, admin, [line(product)])).id)

  // Any open transaction in the cluster, even another test's, holds events back.
  const EVENTS = '{ events { edges { node { id } } } }'
  await expect.poll(async () => (await ask(shop, admin, EVENTS)).events.edges, { timeout: 60_000 }).not.toHaveLength(0)

  // All of these would cost too much at once; `viewer` leads to the orders as well, and lists lead to the yarns.
  // A single product needs its id or its SKU.
  const roots = Object.values(present(schema.getQueryType()).getFields()).filter(
    field => isFree(field) && !['myOrders', 'wallOfColour', 'product', 'productGroups'].includes(field.name),
  )
  const objects: Identified[] = []
  for (const { name, type } of roots)
    objects.push(...identified(await ask(shop, admin, `{ ${name} ${everything(getNamedType(type))} }`)))

  expect(new Set(objects.map(({ __typename }) => __typename))).toEqual(
    new Set([
      'ApiKey',
      'AuditEntry',
      'DiscountCode',
      'Fulfilment',
      'GiftCard',
      'Order',
      'Product',
      'Review',
      'ShopEvent',
      'Synonym',
      'User',
      'Webhook',
    ]),
  )
  expect(contradictions(objects)).toEqual([])
})
