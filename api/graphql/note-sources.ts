import { defaultFieldResolver, getNamedType, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql'
import type { Context } from '../context.ts'
import type { QueryProductsArgs, QueryProductsConnectionArgs } from '../generated/types.ts'
import type { Sources } from '../http/shared-cache.ts'

/** What makes an answer untrue, beside the ids of the products it shows. */
export const TAGS = {
  /** Any change of what is shown: it is not known what decides about it. */
  ALL: 'ALL',
  /** A change of any product: of what there is, or of its order. */
  PRODUCTS: 'PRODUCTS',
  /** A review of any product. */
  REVIEWS: 'REVIEWS',
} as const

type Tags = readonly string[]

const LISTED: Tags = [TAGS.PRODUCTS]
const RATED: Tags = [TAGS.PRODUCTS, TAGS.REVIEWS]

/** A list in an order, or narrowed to what, ratings decide about. */
const RATED_SORTS: readonly unknown[] = ['RATING', 'RELEVANCE']

type ListArgs = Partial<QueryProductsArgs & QueryProductsConnectionArgs>

function tagsOfList({ keyword, sort, filter }: ListArgs): Tags {
  // Every unit sold is a change, too.
  if (sort?.field === 'UPDATED' || filter?.updatedFrom != null || filter?.updatedTo != null) return [TAGS.ALL]
  return keyword?.trim() || RATED_SORTS.includes(sort?.field) || filter?.ratingFrom != null ? RATED : LISTED
}

/**
 * What these tell is shown to everyone, and whatever changes it is told to all processes. Of what they tell beside products,
 * an order changes nothing but whether something is sold out, and a change of a product or a review nothing but what is tagged so.
 */
const SHOWN_TO_ALL: Record<string, Tags | ((args: object) => Tags)> = {
  categories: LISTED,
  collection: LISTED,
  collections: LISTED,
  customersAlsoViewed: RATED,
  discontinuedProduct: LISTED,
  page: [],
  pages: [],
  paypalConfig: [],
  product: [],
  productGroup: LISTED,
  productGroups: LISTED,
  products: tagsOfList,
  productsConnection: tagsOfList,
  reviews: RATED,
  reviewsConnection: RATED,
  searchSuggestions: RATED,
  shop: [],
  topRatedProducts: (args: ListArgs) => tagsOfList({ ...args, sort: { field: 'RATING' } }),
  wallOfColour: RATED,
}

export const TELL_OF_PRODUCTS: ReadonlySet<string> = new Set(Object.keys(SHOWN_TO_ALL))

/** What tells of other products than the one it belongs to. */
const OF_OTHERS: Record<string, Tags> = {
  'Product.group': LISTED,
  'Product.substitutes': LISTED,
  'Product.goesWith': RATED,
  // Tells whether there is enough of another yarn.
  'SkeinEstimate.instead': [TAGS.ALL],
  'ProductPage.facets': RATED,
  'ProductGroup.rating': RATED,
  'ProductGroup.numReviews': RATED,
  'ProductGroup.reviews': RATED,
  'ProductGroup.reviewSummary': RATED,
}

/** Notes what an answer is made of, for whoever keeps it. */
export function noteSources(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    const isRoot = type === schema.getQueryType()
    for (const field of Object.values(type.getFields()) as GraphQLField<unknown, Context>[]) {
      const tags = isRoot ? (SHOWN_TO_ALL[field.name] ?? [TAGS.ALL]) : (OF_OTHERS[`${type.name}.${field.name}`] ?? [])
      // A cart changes only through its id, and no event tells of it.
      const isOpenedById = isRoot && field.name === 'cart'
      const isProduct = getNamedType(field.type).name === 'Product'
      if (tags.length === 0 && !isProduct) continue
      const { resolve = defaultFieldResolver } = field
      field.resolve = (source, args, context, info) => {
        const { sources } = context
        if (!sources) return resolve(source, args, context, info)
        for (const tag of typeof tags === 'function' ? tags(args) : tags) sources.tags.add(tag)
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

function note(result: unknown, { tags }: Sources): unknown {
  // What is not there may be there one day.
  if (!result) tags.add(TAGS.PRODUCTS)
  for (const product of [result].flat()) if (product) tags.add((product as { id: string }).id)
  return result
}
