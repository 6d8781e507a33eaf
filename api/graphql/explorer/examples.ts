export interface Example {
  title: string
  /** Named: the explorer calls its tab so. */
  query: string
  variables: Record<string, unknown>
  /** Who it is for; the explorer says so beside it. */
  needs?: 'a signed-in shopper' | 'an administrator'
}

/** Operations to start from, with words where something of the shop has to be named. A test runs each of them. */
export const EXAMPLES: Example[] = [
  {
    title: 'The catalogue',
    query: `query Catalogue($first: Int! = 5, $after: String) {
  productsConnection(first: $first, after: $after) {
    edges {
      cursor
      node { id name category price countInStock rating }
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
    variables: {},
  },
  {
    title: 'Search',
    query: `query Search($keyword: String!) {
  products(keyword: $keyword) {
    total
    items { id name content price }
  }
}`,
    variables: { keyword: 'merino' },
  },
  {
    title: 'Things by their ids',
    query: `query ThingsByTheirIds($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Product { name price countInStock }
    ... on Order { reference status }
    ... on Review { rating comment }
    ... on User { name email }
  }
}`,
    variables: { ids: ['id of a product'] },
  },
  {
    title: 'How prices are made',
    query: `query Prices {
  shop {
    name
    currency
    pricingPolicy { shippingRate freeShippingFrom taxBasisPoints }
  }
}`,
    variables: {},
  },
  {
    title: 'Sign in',
    query: `mutation SignIn($email: String!, $password: String!) {
  login(email: $email, password: $password) {
    token
    user { name }
    userErrors { code message }
  }
}`,
    variables: { email: 'shopper@example.com', password: 'knit-purl-shopper' },
  },
  {
    title: 'Sign in with Google',
    query: `mutation SignInWithGoogle($input: ProviderSignInInput!) {
  signInWithProvider(input: $input) {
    token
    user { name hasPassword }
    userErrors { code message field }
  }
}`,
    variables: {
      input: {
        credential: {
          idToken: { provider: 'GOOGLE', token: 'token from Google’s SDK', nonce: 'nonce it was made with' },
        },
      },
    },
  },
  {
    title: 'My orders',
    needs: 'a signed-in shopper',
    query: `query MyOrders {
  viewer {
    name
    orders(first: 10) {
      edges {
        node { id reference status totalPrice createdAt }
      }
    }
  }
}`,
    variables: {},
  },
  {
    title: 'What opens my account',
    needs: 'a signed-in shopper',
    query: `query WhatOpensMyAccount {
  shop {
    signInProviders
  }
  viewer {
    hasPassword
    identities { provider email createdAt }
  }
}`,
    variables: {},
  },
  {
    title: 'Let Google open my account',
    needs: 'a signed-in shopper',
    query: `mutation LetGoogleOpenMyAccount($credential: ProviderCredentialInput!, $proof: AccountProofInput!) {
  linkIdentity(credential: $credential, proof: $proof) {
    user {
      identities { id provider email }
    }
    userErrors { code message field }
  }
}`,
    variables: {
      credential: {
        idToken: { provider: 'GOOGLE', token: 'token from Google’s SDK', nonce: 'nonce it was made with' },
      },
      proof: { currentPassword: 'knit-purl-shopper' },
    },
  },
  {
    title: 'Google no longer opens it',
    needs: 'a signed-in shopper',
    query: `mutation GoogleNoLongerOpensIt($id: ID!, $proof: AccountProofInput!) {
  unlinkIdentity(id: $id, proof: $proof) {
    user {
      identities { id provider email }
    }
    userErrors { code message field }
  }
}`,
    variables: { id: 'id of an identity', proof: { currentPassword: 'knit-purl-shopper' } },
  },
  {
    title: 'A copy of my data',
    needs: 'a signed-in shopper',
    query: `mutation ACopyOfMyData($proof: AccountProofInput!) {
  exportAccount(proof: $proof) {
    path
    expiresAt
    userErrors { code message field }
  }
}`,
    variables: { proof: { currentPassword: 'knit-purl-shopper' } },
  },
  {
    title: 'A cart',
    query: `mutation ACart($input: CartInput) {
  createCart(input: $input) {
    cart {
      id
      lines { name quantity price }
      quote { itemsPrice discount shippingPrice totalPrice }
      notices { code message field available }
    }
    userErrors { code message field }
  }
}`,
    variables: { input: { lines: [], code: 'CASTON15' } },
  },
  {
    title: 'My cart',
    needs: 'a signed-in shopper',
    query: `mutation MyCart($input: CartInput!) {
  changeCart(input: $input) {
    cart {
      lines { name quantity }
      code
      quote { totalPrice }
      notices { message }
      expiresAt
    }
    userErrors { code message field }
  }
}`,
    variables: { input: { code: 'CASTON15' } },
  },
  {
    title: 'Into my cart',
    needs: 'a signed-in shopper',
    query: `mutation IntoMyCart($id: ID!) {
  mergeCart(id: $id) {
    cart {
      lines { name quantity }
      notices { message }
    }
    userErrors { code message }
  }
}`,
    variables: { id: 'id of a cart' },
  },
  {
    title: 'My order as it changes',
    needs: 'a signed-in shopper',
    query: `subscription MyOrder($id: ID!) {
  orderChanged(id: $id) {
    reference
    status
    fulfilments { status carrier trackingUrl }
  }
}`,
    variables: { id: 'id of my order' },
  },
  {
    title: 'Delete my account',
    needs: 'a signed-in shopper',
    query: `mutation DeleteMyAccount($proof: AccountProofInput!) {
  deleteAccount(proof: $proof) {
    userErrors { code message field }
  }
}`,
    variables: { proof: { currentPassword: 'knit-purl-shopper' } },
  },
  {
    title: 'Units that came in',
    needs: 'an administrator',
    query: `mutation UnitsThatCameIn($lines: [StockLineInput!]!, $key: String) {
  adjustStock(lines: $lines, idempotencyKey: $key) {
    lines { sku countInStock userErrors { code message field } }
    changed
    userErrors { code message }
  }
}`,
    variables: { lines: [{ sku: 'NINEPIN-MARMALADE', delta: 12 }], key: 'delivery of Monday' },
  },
  {
    title: 'New prices',
    needs: 'an administrator',
    query: `mutation NewPrices($lines: [ProductLineInput!]!, $key: String) {
  setProducts(lines: $lines, idempotencyKey: $key) {
    lines { sku price version userErrors { code message field } }
    changed
    userErrors { code message }
  }
}`,
    variables: { lines: [{ sku: 'NINEPIN-MARMALADE', price: 1450 }], key: 'prices of May' },
  },
  {
    title: 'A new product',
    needs: 'an administrator',
    query: `mutation ANewProduct($input: ProductInput) {
  createProduct(input: $input) {
    product { id sku name version }
    userErrors { code message field }
  }
}`,
    variables: {
      input: {
        sku: 'NINEPIN-QUINCE',
        name: 'Ninepin, Quince',
        image: '/images/sample.webp',
        description: 'A round, springy yarn.',
        weight: '100 g',
        length: '220 m',
        gauge: '20 stitches × 28 rows',
        knittingNeedle: '4.5 mm',
        crochetHook: '5 mm',
        recommendedCare: 'Hand wash',
        content: '100% merino',
        category: 'Worsted',
        price: 1450,
        countInStock: 24,
      },
    },
  },
  {
    title: 'Where the stock went',
    needs: 'an administrator',
    query: `query WhereTheStockWent($after: String) {
  events(first: 20, after: $after, types: [STOCK_CHANGED, STOCK_LOW]) {
    edges {
      node { type sequence createdAt payload }
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
    variables: { after: null },
  },
  {
    title: 'Orders to deliver',
    needs: 'an administrator',
    query: `query ToDeliver {
  ordersConnection(first: 20, filter: { status: TO_DELIVER }) {
    edges {
      node {
        id reference totalPrice
        items { name quantity }
        shippingAddress { name address city postalCode country }
      }
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
    variables: {},
  },
  {
    title: 'Send an order',
    needs: 'an administrator',
    query: `mutation SendAnOrder($id: ID!, $lines: [FulfilmentLineInput!], $carrier: String, $number: String, $key: String) {
  fulfilOrder(id: $id, lines: $lines, carrier: $carrier, trackingNumber: $number, isSent: true, idempotencyKey: $key) {
    fulfilment { id status trackingUrl lines { item { sku } quantity } }
    order { status }
    userErrors { code message field available }
  }
}`,
    variables: {
      id: 'id of a paid order',
      lines: null,
      carrier: 'UPS',
      number: '1Z999AA10123456784',
      key: 'the first parcel',
    },
  },
  {
    title: 'A packed parcel leaves',
    needs: 'an administrator',
    query: `mutation APackedParcelLeaves($id: ID!) {
  sendFulfilment(id: $id) {
    fulfilment { status lines { item { sku } quantity } }
    order { status }
    userErrors { code message }
  }
}`,
    variables: { id: 'id of a packed parcel' },
  },
  {
    title: 'Unpack a parcel',
    needs: 'an administrator',
    query: `mutation UnpackAParcel($id: ID!) {
  cancelFulfilment(id: $id) {
    fulfilment { status lines { item { sku } quantity } }
    order { status }
    userErrors { code message }
  }
}`,
    variables: { id: 'id of a packed parcel' },
  },
  {
    title: 'A parcel arrived',
    needs: 'an administrator',
    query: `mutation AParcelArrived($id: ID!) {
  deliverFulfilment(id: $id) {
    fulfilment { status lines { item { sku } quantity } }
    order { status }
    userErrors { code message }
  }
}`,
    variables: { id: 'id of a parcel that left' },
  },
  {
    title: 'How a parcel is followed',
    needs: 'an administrator',
    query: `mutation HowAParcelIsFollowed($id: ID!, $carrier: String, $number: String) {
  trackFulfilment(id: $id, carrier: $carrier, trackingNumber: $number) {
    fulfilment { carrier trackingNumber trackingUrl }
    userErrors { code message field }
  }
}`,
    variables: { id: 'id of a parcel that left', carrier: 'UPS', number: '1Z999AA10123456785' },
  },
  {
    title: 'What came back',
    needs: 'an administrator',
    query: `mutation WhatCameBack($id: ID!, $lines: [ReturnLineInput!], $reason: String, $key: String) {
  returnFulfilment(id: $id, lines: $lines, reason: $reason, idempotencyKey: $key) {
    returned { value lines { item { sku } quantity isRestocked } }
    userErrors { code message field available }
  }
}`,
    variables: { id: 'id of a parcel that left', lines: null, reason: 'Another colour.', key: 'the first return' },
  },
  {
    title: 'Found by a tag',
    needs: 'an administrator',
    query: `query FoundByATag($tag: String) {
  ordersConnection(first: 20, filter: { tag: $tag }) {
    edges {
      node { id reference note tags externalIds { namespace value } }
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
    variables: { tag: 'gift' },
  },
  {
    title: 'Write on an order',
    needs: 'an administrator',
    query: `mutation WriteOnAnOrder($id: ID!, $input: AnnotationInput!) {
  annotateOrder(id: $id, input: $input) {
    order { id note tags externalIds { namespace value } }
    userErrors { code message field }
  }
}`,
    variables: {
      id: 'id of an order',
      input: { note: 'Wrap it.', tags: ['gift'], externalIds: [{ namespace: 'erp', value: 'SO-4711' }] },
    },
  },
  {
    title: 'Write on a product',
    needs: 'an administrator',
    query: `mutation WriteOnAProduct($id: ID!, $input: AnnotationInput!) {
  annotateProduct(id: $id, input: $input) {
    product { id note tags externalIds { namespace value } }
    userErrors { code message field }
  }
}`,
    variables: {
      id: 'id of a product',
      input: { note: 'Wrap it.', tags: ['gift'], externalIds: [{ namespace: 'erp', value: 'P-4711' }] },
    },
  },
  {
    title: 'Write on an account',
    needs: 'an administrator',
    query: `mutation WriteOnAnAccount($id: ID!, $input: AnnotationInput!) {
  annotateUser(id: $id, input: $input) {
    user { id note tags externalIds { namespace value } }
    userErrors { code message field }
  }
}`,
    variables: {
      id: 'id of an account',
      input: { note: 'Wrap it.', tags: ['gift'], externalIds: [{ namespace: 'erp', value: 'C-4711' }] },
    },
  },
  {
    title: 'Accounts that changed',
    needs: 'an administrator',
    query: `query AccountsThatChanged($after: String) {
  usersConnection(first: 20, after: $after, sort: { field: UPDATED, direction: ASC }) {
    edges {
      node { id name email version updatedAt }
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
    variables: { after: null },
  },
  {
    title: 'Reviews that changed',
    needs: 'an administrator',
    query: `query ReviewsThatChanged($after: String) {
  reviewsConnection(first: 20, after: $after, sort: { field: UPDATED, direction: ASC }) {
    edges {
      node { id rating comment version updatedAt }
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
    variables: { after: null },
  },
  {
    title: 'All orders as a file',
    needs: 'an administrator',
    query: `mutation AllOrdersAsAFile($query: String!) {
  startExport(query: $query) {
    export { id status }
    userErrors { code message field }
  }
}`,
    variables: { query: '{ ordersConnection { edges { node { id reference status totalPrice } } } }' },
  },
  {
    title: 'My exports',
    needs: 'an administrator',
    query: `query MyExports {
  exports {
    items { id connection status rows total }
  }
}`,
    variables: {},
  },
  {
    title: 'A link to an export',
    needs: 'an administrator',
    query: `mutation ALinkToAnExport($id: ID!) {
  linkExport(id: $id) {
    path
    until
    userErrors { code message }
  }
}`,
    variables: { id: 'id of an export' },
  },
  {
    title: 'Take an export away',
    needs: 'an administrator',
    query: `mutation TakeAnExportAway($id: ID!) {
  cancelExport(id: $id) {
    export { status }
    userErrors { code message }
  }
}`,
    variables: { id: 'id of an export' },
  },
  {
    title: 'A key for a warehouse',
    needs: 'an administrator',
    query: `mutation AKeyForAWarehouse($input: ApiKeyInput!) {
  createApiKey(input: $input) {
    secret
    apiKey { id start scopes expiresAt allowedAddresses }
    userErrors { code message field }
  }
}`,
    variables: {
      input: {
        name: 'Warehouse',
        scopes: ['READ_ORDERS', 'FULFIL_ORDERS', 'WRITE_STOCK'],
        accountId: 'id of an account',
        allowedAddresses: ['198.51.100.0/24'],
      },
    },
  },
  {
    title: 'A new secret for a key',
    needs: 'an administrator',
    query: `mutation ANewSecretForAKey($id: ID!) {
  rotateApiKey(id: $id, overlapHours: 24) {
    secret
    userErrors { code message }
  }
}`,
    variables: { id: 'id of a key' },
  },
  {
    title: 'A webhook goes on',
    needs: 'an administrator',
    query: `mutation AWebhookGoesOn($id: ID!) {
  resumeWebhook(id: $id, skipMissed: false) {
    webhook { url enabled }
    userErrors { code message }
  }
}`,
    variables: { id: 'id of a webhook' },
  },
  {
    title: 'Orders as they change',
    needs: 'an administrator',
    query: `subscription OrdersChanged {
  ordersChanged {
    type
    order { id reference status totalPrice }
  }
}`,
    variables: {},
  },
]
