import { call } from './call.ts'
import { getProduct, gettingProduct, lookingUp, lookUp, search, searching } from './catalog.ts'

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
]
