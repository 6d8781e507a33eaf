import { defaultFieldResolver, getNamedType, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql'
import type { Context } from '../context.ts'
import type { Sources } from '../http/shared-cache.ts'

/**
 * What these answer is shown to everyone, and all processes learn of whatever changes it. Of what they answer beside products,
 * an order changes nothing but whether something is sold out.
 */
export const TELL_OF_PRODUCTS: ReadonlySet<string> = new Set([
  'categories',
  'customersAlsoViewed',
  'discontinuedProduct',
  'page',
  'pages',
  'paypalConfig',
  'product',
  'productGroup',
  'productGroups',
  'products',
  'productsConnection',
  'reviews',
  'reviewsConnection',
  'searchSuggestions',
  'shop',
  'topRatedProducts',
  'wallOfColour',
])

/** Notes which products an answer shows, for the caches that keep it, and whether that is all that a sale may change of it. */
export function noteSources(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields()) as GraphQLField<unknown, Context>[]) {
      const tellsMore =
        (type === schema.getQueryType() && !TELL_OF_PRODUCTS.has(field.name)) ||
        // Tells whether there is enough of another yarn.
        (type.name === 'SkeinEstimate' && field.name === 'instead')
      // A cart changes only through its id, and without an event.
      const isOpenedById = type === schema.getQueryType() && field.name === 'cart'
      const isProduct = getNamedType(field.type).name === 'Product'
      if (!tellsMore && !isProduct) continue
      const { resolve = defaultFieldResolver } = field
      field.resolve = (source, args, context, info) => {
        const { sources } = context
        if (!sources) return resolve(source, args, context, info)
        if (tellsMore) sources.areAll = false
        if (isOpenedById) sources.areShared = false
        const result = resolve(source, args, context, info)
        if (!isProduct) return result
        if (result instanceof Promise) return result.then(products => note(products, sources))
        return note(result, sources)
      }
    }
  }
  return schema
}

function note(result: unknown, sources: Sources): unknown {
  for (const product of [result].flat()) if (product) sources.ids.add((product as { id: string }).id)
  return result
}
