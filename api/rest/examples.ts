// The values in the API document's examples. A test makes a shop that has these ids and sends every one of them.

export const IDS = {
  export: '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b32',
  fulfilment: '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b31',
  user: '019a0000-0000-7000-8000-000000000001',
  product: '019a0000-0000-7000-8000-000000000002',
  order: '019a0000-0000-7000-8000-000000000003',
  /** That of the signed-in shopper. */
  cart: 'mine',
  /** CASTON15, which every shop has. */
  'discount-code': '019ab000-0000-7000-8000-000000000015',
  paypal: '5O190127TN364715T',
}

export const credentials = { email: 'nell@example.com', password: 'knit one, purl two' }
export const registration = { name: 'Rae Ravel', email: 'rae@example.com', password: 'knit one, purl two' }
export const proof = { currentPassword: credentials.password }
export const profile = { name: 'Nell Knitter', email: 'nell@example.com', password: '' }
export const user = { name: 'Nell Knitter', email: 'nell@example.com', isAdmin: false }
export const review = { rating: 5, comment: 'Soft, round and true to its colour.' }
export const product = {
  name: 'Fen Merino',
  image: '/images/fen-merino.webp',
  pictures: [{ image: '/images/fen-merino.webp', alt: 'A hank of green merino on oak' }],
  description: 'A springy merino.',
  weight: '100 g',
  length: '210 m',
  gauge: '20 sts',
  knitting_needle: '4.5 mm',
  crochet_hook: '5 mm',
  recommended_care: 'Hand wash',
  content: '100% merino',
  category: 'Worsted',
  price: 24.5,
  countInStock: 40,
}
export const order = {
  orderItems: [{ product: IDS.product, quantity: 2 }],
  shippingAddress: {
    name: 'Nell Knitter',
    address: '1 Purl Lane',
    address2: '',
    city: 'Woolwich',
    state: 'ME',
    postalCode: '04579',
    country: 'United States',
  },
  paymentMethod: 'PayPal',
}
export const cart = { cartItems: [{ product: IDS.product, add: 2 }], code: 'CASTON15' }
/** Of a cart that belonged to no account. */
export const mergedCart = { cart: 'YarnYarnYarnYarnYarnYarnYarnYarnYarnYarnYar' }
export const stockLines = { lines: [{ product: IDS.product, delta: 12 }] }
export const productLines = { lines: [{ product: IDS.product, price: 24.5 }] }
export const parcel = {
  lines: [{ product: IDS.product, quantity: 1 }],
  carrier: 'UPS',
  trackingNumber: '1Z999AA10123456784',
}
export const comeBack = {
  lines: [{ product: IDS.product, quantity: 1, isRestocked: false }],
  reason: 'Felted on the way',
}
export const exportQuery = { query: '{ productsConnection { edges { node { id sku name price } } } }' }
export const discountCode = {
  code: 'SPRING20',
  kind: 'PERCENT',
  basisPoints: 2000,
  minimum: 50,
  productIds: [IDS.product],
}
export const codePatch = { isPaused: true }
export const captureDetails = { id: IDS.paypal }
