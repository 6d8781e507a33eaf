import { z } from 'zod'
import { limits } from '../limits.ts'
import { ownerLimits } from '../owner-limits.ts'
import { requiredText, text } from './text.ts'

const { products } = ownerLimits.collection

/** What an owner says of a collection, and the ids of its products in their order. */
export const collection = z.object({
  name: requiredText('Name', limits.name),
  description: text('Description', ownerLimits.collection.description),
  isPublished: z.boolean(),
  productIds: z
    .array(z.string())
    .max(products, `A collection has at most ${products} products.`)
    .refine(ids => new Set(ids).size === ids.length, 'One of the products is there twice.'),
})
