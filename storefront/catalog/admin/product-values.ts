import { isImageAddress } from '#schema/rules/image'
import { limits } from '#schema/rules/limits'
import { fromDecimal, toDecimal } from '#schema/rules/money'
import type { ProductInput } from '../../generated/types.ts'
import type { EditedProductFragment } from './ProductEdit.gql.ts'

const texts = [
  'name',
  'sku',
  'category',
  'description',
  'content',
  'weight',
  'length',
  'gauge',
  'knittingNeedle',
  'crochetHook',
  'recommendedCare',
  'image',
] as const

/** A product as it is in the form: everything is text. */
export type ProductValues = Record<(typeof texts)[number] | 'price' | 'countInStock', string>

/** What the editor was shown, for the API to tell whether it still holds. */
export interface Seen {
  version: number
  countInStock: number
}

export function valuesOf(product: EditedProductFragment): ProductValues {
  const values = Object.fromEntries(texts.map(name => [name, product[name]])) as ProductValues
  return { ...values, price: toDecimal(product.price), countInStock: String(product.countInStock) }
}

export const seenOf = ({ version, countInStock }: EditedProductFragment): Seen => ({ version, countInStock })

export const readPrice = (typed: string) => fromDecimal(typed.replaceAll(/[$,\s]/g, ''))

export const readStock = (typed: string) => {
  const digits = typed.replaceAll(/[,\s]/g, '')
  return /^\d{1,7}$/.test(digits) ? Number(digits) : null
}

export const checks = {
  name: (typed: string) => typed.trim() !== '' || 'Name is required.',
  sku: (typed: string) =>
    /^[a-z0-9][\w.-]{0,63}$/i.test(typed.trim()) ||
    'Please use letters, digits, dots, dashes and underscores, and start with a letter or digit.',
  image: (typed: string) =>
    isImageAddress(typed) || 'Please upload a picture, or enter a web address or a path such as /uploads/yarn.webp.',
  price: (typed: string) => {
    const cents = readPrice(typed)
    if (cents === 0) return 'Price must be at least $0.01.'
    return (cents !== null && cents > 0 && cents <= limits.price) || 'Please enter a price such as 12.50.'
  },
  countInStock: (typed: string) => {
    const units = readStock(typed)
    return (units !== null && units <= limits.stock) || 'Please enter a whole number, 0 or more.'
  },
}

export function inputOf(values: ProductValues, seen: Seen): ProductInput {
  const { price, countInStock, ...rest } = values
  return {
    ...rest,
    price: readPrice(price)!,
    countInStock: readStock(countInStock)!,
    countInStockSeen: seen.countInStock,
    version: seen.version,
  }
}

export interface Difference {
  field: keyof ProductValues
  theirs: string
  mine: string
  /** Both changed it; where only one did, that one is the suggestion. */
  suggestion: 'theirs' | 'mine'
}

/** Where a product that somebody else saved is not what is in the form. `opened` is what both started from. */
export function differences(opened: ProductValues, theirs: ProductValues, mine: ProductValues): Difference[] {
  return (Object.keys(mine) as (keyof ProductValues)[])
    .filter(field => theirs[field] !== mine[field])
    .map(field => ({
      field,
      theirs: theirs[field],
      mine: mine[field],
      suggestion: mine[field] === opened[field] ? 'theirs' : 'mine',
    }))
}
