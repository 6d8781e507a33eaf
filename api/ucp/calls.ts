import { call } from './call.ts'
import { cancelCart, createCart, filling, getCart, updateCart } from './cart.ts'
import { getProduct, gettingProduct, lookingUp, lookUp, search, searching } from './catalog.ts'
import {
  beginning,
  cancelCheckout,
  changing,
  completeCheckout,
  completing,
  createCheckout,
  getCheckout,
  updateCheckout,
} from './checkout.ts'
import { getOrder } from './order.ts'

/** Everything agents can ask of the shop, by the protocol's names. Nothing is decided here: GraphQL is the API. */
export const calls = [
  call({
    tool: 'search_catalog',
    description:
      'Search yarn, needles, hooks and notions by words and by what knitters choose by. Colourways and sizes are variants of one product.',
    capability: 'dev.ucp.shopping.catalog.search',
    method: 'POST',
    path: '/catalog/search',
    takes: { name: 'catalog', shape: searching },
    answer: (shop, { body }) => search(shop, body),
  }),
  call({
    tool: 'lookup_catalog',
    description: 'Look products and variants up by their ids or SKUs, 20 at a time.',
    capability: 'dev.ucp.shopping.catalog.lookup',
    method: 'POST',
    path: '/catalog/lookup',
    takes: { name: 'catalog', shape: lookingUp },
    answer: (shop, { body }) => lookUp(shop, body),
  }),
  call({
    tool: 'get_product',
    description: 'One product in full, with all its colourways or sizes and what is in stock of each.',
    capability: 'dev.ucp.shopping.catalog.lookup',
    method: 'POST',
    path: '/catalog/product',
    takes: { name: 'catalog', shape: gettingProduct },
    answer: (shop, { body }) => getProduct(shop, body),
  }),

  call({
    tool: 'create_cart',
    description:
      'Put variants into a new cart and see what they come to. Nothing is set aside. Keep its id as a secret.',
    capability: 'dev.ucp.shopping.cart',
    method: 'POST',
    path: '/carts',
    status: 201,
    takes: { name: 'cart', shape: filling },
    answer: createCart,
  }),
  call({
    tool: 'get_cart',
    description: 'A cart with the prices of this moment.',
    capability: 'dev.ucp.shopping.cart',
    method: 'GET',
    path: '/carts/:id',
    takes: null,
    answer: getCart,
  }),
  call({
    tool: 'update_cart',
    description: 'Say what is in a cart: all its lines.',
    capability: 'dev.ucp.shopping.cart',
    method: 'PUT',
    path: '/carts/:id',
    takes: { name: 'cart', shape: filling },
    answer: updateCart,
  }),
  call({
    tool: 'cancel_cart',
    description: 'End a cart.',
    capability: 'dev.ucp.shopping.cart',
    method: 'POST',
    path: '/carts/:id/cancel',
    takes: null,
    needsKey: true,
    answer: cancelCart,
  }),
  call({
    tool: 'create_checkout',
    description:
      'Begin to order a cart, or variants, for a buyer: with their email, and where it goes. Keep its id as a secret.',
    capability: 'dev.ucp.shopping.checkout',
    method: 'POST',
    path: '/checkout-sessions',
    status: 201,
    takes: { name: 'checkout', shape: beginning },
    answer: createCheckout,
  }),
  call({
    tool: 'get_checkout',
    description: 'Where a checkout stands, and what is missing.',
    capability: 'dev.ucp.shopping.checkout',
    method: 'GET',
    path: '/checkout-sessions/:id',
    takes: null,
    answer: getCheckout,
  }),
  call({
    tool: 'update_checkout',
    description:
      'Say what is ordered, for whom, where it goes and with which discount code. What is left out stays, but for lines.',
    capability: 'dev.ucp.shopping.checkout',
    method: 'PUT',
    path: '/checkout-sessions/:id',
    takes: { name: 'checkout', shape: changing },
    answer: updateCheckout,
  }),
  call({
    tool: 'complete_checkout',
    description:
      'Place the order. Its stock is set aside for a quarter of an hour; the buyer pays it at `continue_url`, which also shows it.',
    capability: 'dev.ucp.shopping.checkout',
    method: 'POST',
    path: '/checkout-sessions/:id/complete',
    takes: { name: 'checkout', shape: completing, optional: true },
    needsKey: true,
    answer: completeCheckout,
  }),
  call({
    tool: 'cancel_checkout',
    description: 'End a checkout, and cancel its order unless it is paid.',
    capability: 'dev.ucp.shopping.checkout',
    method: 'POST',
    path: '/checkout-sessions/:id/cancel',
    takes: null,
    needsKey: true,
    answer: cancelCheckout,
  }),
  call({
    tool: 'get_order',
    description: 'An order by the id its checkout told: what was paid, sent, delivered and sent back.',
    capability: 'dev.ucp.shopping.order',
    method: 'GET',
    path: '/orders/:id',
    takes: null,
    answer: getOrder,
  }),
]
