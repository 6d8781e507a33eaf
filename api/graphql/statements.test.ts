import { AsyncLocalStorage } from 'node:async_hooks'
import { globSync, readFileSync } from 'node:fs'
import { concatAST, Kind, parse, print, separateOperations } from 'graphql'
import { afterAll, beforeAll, expect, it, test, vi } from 'vitest'
import { Review } from '../review/review.entity.ts'
import { ask, upload } from '../testing/admin.ts'
import { ADDRESS, bought, buyerDoes, line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, makeUsers, openShop, type Identity, type TestShop } from '../testing/shop.ts'
import { nth, present } from '#schema/rules/present'

const FEW = 2
const MANY = 20

type Who = 'visitor' | 'shopper' | 'admin'

/** A shop in which every list has so many items. */
interface World {
  shop: TestShop
  askers: Record<Who, Identity>
  productIds: string[]
  reviewIds: string[]
  groupId: string
  orderIds: string[]
  importId: string
  collectionId: string
  webhookId: string
  userId: string
}

async function makeWorld(size: number): Promise<World> {
  const shop = await openShop({ pageSize: MANY })
  const em = shop.em()
  const [shopper, admin, ...others] = [
    await makeUser(em),
    await makeUser(em, { isAdmin: true }),
    ...(await makeUsers(em, size)),
  ]
  const products = []
  for (let index = 0; index < size; index++)
    products.push(await makeProduct(em, { name: `Merino ${index}`, countInStock: 500 }))
  const [popular, ...rest] = products
  await em.execute(
    `with g as (insert into product_groups (id, name, varies_by) values (gen_random_uuid(), 'Merino', 'COLOUR') returning id)
     update products set group_id = g.id, group_position = 1 from g`,
  )
  const review = (productId: string, userId: string) =>
    em.create(Review, { productId, userId, name: 'Nell', rating: 5, comment: 'Round.', verifiedPurchase: true })
  for (const { id } of rest) review(id, shopper.id)
  for (const { id } of others) review(present(popular).id, id)
  await em.flush()
  await em.execute(
    'update products p set num_reviews = (select count(*) from reviews r where r.product_id = p.id), rating_sum = 5 * (select count(*) from reviews r where r.product_id = p.id)',
  )

  for (const other of others) await placed(shop, other, [line(nth(products, 0))])
  const orderIds: string[] = []
  for (let index = 0; index < size; index++)
    orderIds.push((await bought(shop, shopper, [line(nth(products, 0)), line(nth(products, 1))])).id)
  for (const orderId of orderIds) {
    await shop.gql(
      'mutation ($id: ID!, $key: String!) { refundOrder(orderId: $id, amount: 100, reason: "Moths", idempotencyKey: $key) { userErrors { message } } }',
      { id: orderId, key: orderId },
      admin,
    )
  }
  await em.execute(
    `with f as (insert into fulfilments (id, order_id, created_at) select gen_random_uuid(), id, now() from orders where paid_at is not null returning id, order_id),
          i as (update order_items set fulfilled_quantity = quantity from f where f.order_id = order_items.order_id returning f.id as parcel, order_items.id, quantity)
     insert into fulfilment_lines (id, fulfilment_id, item_id, quantity) select gen_random_uuid(), parcel, id, quantity from i`,
  )
  for (const { id } of products)
    await shop.gql(
      'mutation ($id: ID!) { patchProduct(id: $id, input: { price: 3000 }) { userErrors { message } } }',
      { id },
      admin,
    )
  for (let index = 0; index < size; index++)
    await shop.gql(
      'mutation ($name: String!, $id: ID) { createApiKey(input: { name: $name, scopes: [ADMIN], accountId: $id }) { secret } }',
      { name: `Till ${index}`, id: admin.id },
      admin,
    )
  let webhookId = ''
  for (let index = 0; index < size; index++)
    webhookId = (
      await ask(
        shop,
        admin,
        'mutation { createWebhook(input: { url: "http://127.0.0.1:1/", events: [ORDER_LAPSED] }) { webhook { id } } }',
      )
    ).createWebhook.webhook.id
  await em.execute(
    `insert into webhook_deliveries (id, webhook_id, event_id, type, body, state) select gen_random_uuid(), ?, gen_random_uuid(), 'order.lapsed', '{}', 'FAILED' from generate_series(1, ?)`,
    [webhookId, size],
  )
  const table = (await ask(shop, admin, '{ exportProducts }')).exportProducts
  let importId = ''
  for (let index = 0; index < size; index++)
    importId = (
      await upload(
        shop,
        admin,
        'mutation ($csv: Upload!) { importProducts(csv: $csv) { productImport { id } userErrors { message } } }',
        'csv',
        new Blob([table]),
        'yarn.csv',
      )
    ).data.importProducts.productImport.id
  await em.execute(
    `with card as (
       insert into gift_cards (id, code, initial_amount, balance, created_at)
       select gen_random_uuid(), 'ABCDEFGHJKMNPQR' || chr(65 + index), 5000, 5000, now() from generate_series(1, ?::integer) index returning id)
     insert into gift_card_uses (order_id, gift_card_id, amount) select orders.id, card.id, 1 from orders, card`,
    [size],
  )
  const { createCollection } = await ask(
    shop,
    admin,
    `mutation ($ids: [ID!]!) {
       createCollection(input: { name: "Gifts", description: "", isPublished: true, productIds: $ids }) { collection { id } }
     }`,
    { ids: products.map(({ id }) => id) },
  )
  return {
    shop,
    askers: { visitor: null, shopper, admin },
    productIds: products.map(({ id }) => id),
    reviewIds: (await em.find(Review, {}, { limit: size })).map(({ id }) => id),
    groupId: nth(await em.execute<{ id: string }[]>('select id from product_groups'), 0).id,
    orderIds,
    importId,
    collectionId: createCollection.collection.id,
    webhookId,
    userId: shopper.id,
  }
}

let few: World
let many: World
beforeAll(async () => {
  few = await makeWorld(FEW)
  many = await makeWorld(MANY)
  for (const { shop } of [few, many]) {
    // Synonyms are read once per process.
    await shop.gql('{ searchSuggestions(typed: "yar") { correction } }')
    vi.spyOn(shop.orm.config.getLogger(), 'logQuery').mockImplementation(({ query }) => {
      counting.getStore()?.push(present(query))
    })
  }
})
afterAll(async () => {
  await few?.shop.close()
  await many?.shop.close()
})

const counting = new AsyncLocalStorage<string[]>()

/** The statements the database gets for one operation, from finding out who asks to the last field. */
async function statements({ shop, askers }: World, who: Who, query: string, variables: object): Promise<string[]> {
  const asked: string[] = []
  const asker = askers[who]
  const send = async (body: object) =>
    await shop.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json', ...(asker && { authorization: `Bearer ${asker.token}` }) },
      payload: JSON.stringify(body),
    })
  const response = await counting.run(asked, () => send({ query, variables }))
  const answer = response.json()
  expect(answer.errors).toBeUndefined()
  for (const result of Object.values<{ userErrors?: unknown[] } | null>(answer.data))
    expect(result?.userErrors ?? []).toEqual([])
  // The owner of a token is remembered for ten seconds, which may end at any moment, so that query is not counted.
  return asked.filter(query => !query.includes('from sessions s join users'))
}

type Row = readonly [who: Who, budget: number, variables?: (world: World) => object]

const anyProduct = ({ productIds: [id] }: World) => ({ id })
const anyOrder = ({ orderIds: [id] }: World) => ({ id })
const anyUser = ({ userId: id }: World) => ({ id })
const anyImport = ({ importId: id }: World) => ({ id })
const lines = ({ productIds }: World) => productIds.map(productId => ({ productId, quantity: 1 }))

/** Who sends a document of the storefront, how many statements it may take, and its variables. */
const STOREFRONT: Record<string, Row> = {
  Shop: ['visitor', 2],
  HomePage: ['visitor', 15, () => ({ page: 1, asTyped: false })],
  Welcome: ['visitor', 18],
  TopRatedPage: ['visitor', 15, () => ({ page: 1, asTyped: false })],
  ShelfPage: ['visitor', 15, () => ({ page: 1, filter: { kind: ['YARN'] } })],
  Suggestions: ['visitor', 8, () => ({ typed: 'yar' })],
  AlsoViewed: ['visitor', 2],
  ProductPage: ['visitor', 13, anyProduct],
  EnoughSkeins: ['visitor', 4, world => ({ ...anyProduct(world), project: { metres: 99_000 } })],
  DiscontinuedProduct: ['visitor', 1, anyProduct],
  MoreGroupReviews: ['visitor', 3, ({ groupId: id }) => ({ id, page: 1 })],
  MoreReviews: ['visitor', 2, world => ({ ...anyProduct(world), page: 1 })],
  PaypalConfig: ['visitor', 0],
  QuickAdd: ['visitor', 1, anyProduct],
  ShopPage: ['visitor', 1, () => ({ slug: 'about' })],
  CollectionsPage: ['visitor', 4],
  CollectionPage: ['visitor', 4, () => ({ slug: 'gifts' })],
  QuoteCart: ['visitor', 1, world => ({ lines: lines(world) })],
  AccountCart: ['shopper', 4],
  QuoteGiftCards: ['visitor', 2, world => ({ lines: lines(world), giftCards: ['ABCD-EFGH-JKMN-PQRB'] })],
  QuoteCode: ['visitor', 2, world => ({ lines: lines(world), code: 'CASTON15' })],
  ViewerReview: ['shopper', 3, ({ productIds }) => ({ id: productIds[1] })],
  ViewerVotes: ['shopper', 7, ({ reviewIds: ids }) => ({ ids })],
  StashPlaces: ['shopper', 2],
  StashPage: ['shopper', 4],
  ViewerBell: ['shopper', 3, anyProduct],
  MyOrders: ['shopper', 2],
  CheckoutAddresses: ['shopper', 3],
  AddressBook: ['shopper', 2],
  MyDownloads: ['shopper', 2],
  Order: ['shopper', 9, anyOrder],
  AdminProducts: ['admin', 4],
  ProductStats: ['admin', 2],
  Categories: ['admin', 2],
  ExportProducts: ['admin', 2],
  ProductForEdit: ['admin', 6, anyProduct],
  FindGroups: ['admin', 3, () => ({ search: 'merino' })],
  ProductHistory: ['admin', 4, anyProduct],
  ProductImportTemplate: ['admin', 1],
  ProductImports: ['admin', 3],
  ProductImport: ['admin', 7, anyImport],
  ImportProgress: ['admin', 2, anyImport],
  AdminOrders: ['admin', 5],
  LastAddressOf: ['admin', 5, () => ({ email: 'nell@example.com' })],
  FindOrderable: ['visitor', 2, () => ({ keyword: '' })],
  QuoteNewOrder: ['admin', 3, world => ({ customerEmail: 'nell@example.com', lines: lines(world) })],
  OrderCounts: ['admin', 2],
  OrderStats: ['admin', 2],
  OrderForAdmin: ['admin', 5, anyOrder],
  OrderRefunds: ['admin', 5, anyOrder],
  Annotation: ['admin', 4, anyOrder],
  AdminReviews: ['admin', 4],
  SearchTerms: ['admin', 4],
  Synonyms: ['admin', 3],
  AdminUsers: ['admin', 3],
  AdminUserEdit: ['admin', 2, anyUser],
  UserStats: ['admin', 2],
  AuditLog: ['admin', 3],
  ApiKeys: ['admin', 4, () => ({ page: 1 })],
  AdminPages: ['admin', 2],
  AdminAnnouncement: ['admin', 2],
  AdminCollections: ['admin', 2],
  AdminCollection: ['admin', 4, ({ collectionId: id }) => ({ id })],
  FindProducts: ['admin', 4, () => ({ search: 'merino' })],
  Codes: ['admin', 4, () => ({ page: 1 })],
  GiftCards: ['admin', 5, () => ({ page: 1 })],
  Webhooks: ['admin', 4, () => ({ page: 1 })],
  Exports: ['admin', 4, () => ({ page: 1 })],
  WebhookWithDeliveries: ['admin', 5, ({ webhookId: id }) => ({ id })],
  FindAccounts: ['admin', 3, () => ({ search: 'Knitter' })],
  Viewer: ['shopper', 2],
  MyAccount: ['shopper', 3],
  OwnIdentities: ['shopper', 3],
  OwnSecondFactor: ['admin', 3],
  OwnProof: ['shopper', 2],
  TaxReport: ['admin', 1, () => ({ from: '2026-10-01', to: '2026-12-31' })],
  TaxReportCsv: ['admin', 1, () => ({ from: '2026-10-01', to: '2026-12-31' })],
  Dashboard: ['admin', 13, () => ({ period: 'DAY', count: 7, withSetup: true })],
  // Changes that take lists.
  DeliverOrders: ['admin', 13, ({ orderIds: ids }) => ({ ids })],
  BulkUpdateProducts: ['admin', 14, ({ productIds: ids }) => ({ ids, change: { priceByCents: 1 } })],
}

const ORDER = 'id reference status totalPrice user { name } items { name quantity } refunds { amount }'

/** The same for partners' queries: everything below every item of a list. */
const PARTNERS: Record<string, readonly [...Required<Row>, query: string]> = {
  'products with reviews': [
    'visitor',
    4,
    () => ({}),
    '{ productsConnection(first: 20) { edges { node { id sku name price countInStock reviews { total items { rating product { id } } } } } } }',
  ],
  'products with their groups': [
    'visitor',
    5,
    () => ({}),
    '{ productsConnection(first: 5) { edges { node { id group { name total colours { hex } products { id name } } } } } }',
  ],
  'products and my reviews of them': [
    'shopper',
    3,
    () => ({}),
    '{ productsConnection(first: 20) { edges { node { id viewerReview { rating } } } } }',
  ],
  'my orders': ['shopper', 4, () => ({}), `{ viewer { orders(first: 20) { edges { node { ${ORDER} } } } } }`],
  'all orders': ['admin', 4, () => ({}), `{ ordersConnection(first: 20) { edges { node { ${ORDER} } } } }`],
  'an order by its id': ['shopper', 5, anyOrder, `query ($id: ID!) { node(id: $id) { ... on Order { ${ORDER} } } }`],
  'orders with their parcels': [
    'admin',
    4,
    () => ({}),
    '{ ordersConnection(first: 20) { edges { node { id fulfilments { lines { quantity item { name } } } } } } }',
  ],
  'orders with their history': [
    'admin',
    5,
    () => ({}),
    '{ orders { items { id history { total items { label } } } } }',
  ],
  'products with their history': [
    'admin',
    5,
    () => ({}),
    '{ adminProducts { items { id history { total items { label } } } } }',
  ],
  'orders with what is noted on them': [
    'admin',
    4,
    () => ({}),
    '{ orders { items { note tags externalIds { namespace value } } } }',
  ],
  'products with what is noted on them': [
    'admin',
    4,
    () => ({}),
    '{ adminProducts { items { note tags externalIds { value } } } }',
  ],
  'accounts with what is noted on them': [
    'admin',
    4,
    () => ({}),
    '{ users { items { note tags externalIds { value } } } }',
  ],
  'accounts with their orders': [
    'admin',
    6,
    () => ({}),
    '{ users { items { id orders(first: 2) { edges { node { id refunds { amount } items { name } } } } } } }',
  ],
}

const written = concatAST(globSync('storefront/**/*.graphql').map(file => parse(readFileSync(file, 'utf8'))))
const documents = separateOperations(written)

it('counts every query of the storefront', () => {
  const queries = written.definitions.flatMap(definition =>
    definition.kind === Kind.OPERATION_DEFINITION && definition.operation === 'query'
      ? [present(definition.name).value]
      : [],
  )
  expect(queries.filter(name => !STOREFRONT[name])).toEqual([])
})

test.each([
  ...Object.entries(STOREFRONT).map(([name, row]) => [name, row, () => print(present(documents[name]))] as const),
  ...Object.entries(PARTNERS).map(
    ([name, [who, budget, variables, query]]) => [name, [who, budget, variables] as Row, () => query] as const,
  ),
])('%s', async (_name, [who, budget, variables = () => ({})], query) => {
  const [short, long] = [
    await statements(few, who, query(), variables(few)),
    await statements(many, who, query(), variables(many)),
  ]
  expect(long, 'as many for a long list as for a short one').toHaveLength(short.length)
  expect(long.length, long.join('\n')).toBeLessThanOrEqual(budget)
})

const failed = 'userErrors { code message }'

test.each([
  ['few', () => few],
  ['many', () => many],
])('an order of %s lines is placed, opened at PayPal and captured', async (_size, worldOf) => {
  const world = worldOf()
  const newest = async () => {
    const [order] = await world.shop
      .em()
      .execute<{ orderId: string; paypalOrderId: string }[]>(
        'select id as "orderId", paypal_order_id as "paypalOrderId" from orders order by number desc limit 1',
      )
    return present(order)
  }
  const place = await statements(
    world,
    'shopper',
    `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } ${failed} } }`,
    { input: { lines: lines(world), shippingAddress: ADDRESS, idempotencyKey: 'once' } },
  )
  const open = await statements(
    world,
    'shopper',
    `mutation ($orderId: ID!) { createPaypalOrder(orderId: $orderId) { paypalOrderId ${failed} } }`,
    await newest(),
  )
  await buyerDoes(world.shop, 'approve', (await newest()).paypalOrderId)
  const capture = await statements(
    world,
    'shopper',
    `mutation ($orderId: ID!, $paypalOrderId: ID!) {
      capturePaypalOrder(orderId: $orderId, paypalOrderId: $paypalOrderId) { captureId ${failed} }
    }`,
    await newest(),
  )
  // Including begin and commit.
  expect({ place: place.length, open: open.length, capture: capture.length }).toEqual({
    place: 7,
    open: 3,
    capture: 3,
  })
})
