export interface Example {
  title: string
  /** Named: the explorer calls its tab so. */
  query: string
  variables: Record<string, unknown>
  /** Who it is for; the explorer says so beside it. */
  needs?: 'a signed-in shopper' | 'an administrator'
}

/** Operations to start from. A test runs each of them. */
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
