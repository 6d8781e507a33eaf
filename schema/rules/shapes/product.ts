import { z } from 'zod'
import { isDay } from '../day.ts'
import { imageAddress, isImageAddress } from '../image.ts'
import { limits } from '../limits.ts'
import { ownerLimits } from '../owner-limits.ts'
import { unitsOf, type LotPortion } from '../lots.ts'
import { labelOf, ofEachField } from '../product-fields.ts'
import { requiredText, text } from './text.ts'

const line = (label: string) => text(label, limits.productText)

const image = requiredText('Image', ownerLimits.imageAddress)
  .refine(isImageAddress, 'Image must be a web address or a path such as /uploads/yarn.webp.')
  .transform(imageAddress)

const cents = (label: string) =>
  z.number().int().min(1, `${label} must be at least $0.01.`).max(limits.price, `${label} is too high.`)

/** The rules of every field an administrator edits; CSV imports follow them too. */
export const productFields = {
  ...ofEachField({
    text: field => line(labelOf(field)),
    cents: field => cents(labelOf(field)),
    units: field =>
      z
        .number()
        .int()
        .min(0, `${labelOf(field)} cannot be negative.`)
        .max(limits.stock, `${labelOf(field)} is too high.`),
    // The contract lets what it did not have from the beginning be left out.
    flag: () => z.boolean().optional(),
    // Empty for none, because null counts as left out.
    day: field =>
      z
        .string()
        .refine(text => text === '' || isDay(text), `${labelOf(field)} must be a day such as 2026-12-24.`)
        .transform(text => text || null)
        .optional(),
  }),
  name: requiredText('Name', limits.productText),
  image,
  description: text('Description', ownerLimits.description),
}

export const salePrice = cents('Sale price')

/** All pictures of a product; the first is its `image`. */
export const pictures = z
  .array(
    z.object({
      image,
      alt: text('What a picture shows', limits.pictureAlt)
        .nullish()
        .transform(alt => alt ?? ''),
    }),
  )
  .min(1, 'A product needs at least one picture.')
  .max(ownerLimits.pictures, `A product has at most ${ownerLimits.pictures} pictures.`)
  .refine(
    list => new Set(list.map(({ image }) => image)).size === list.length,
    'One of the pictures is there twice. Please remove one of the two.',
  )

/** Name of the group a product belongs to; empty when it stands alone. */
export const group = line('Group')

/** What is said of a group, and the order of its products. */
export const productGroup = z.object({
  name: requiredText('Name', limits.productText),
  maker: line('Maker'),
  variesBy: z.enum(['COLOUR', 'SIZE']),
  productIds: z
    .array(z.string())
    .max(ownerLimits.groupProducts, `At most ${ownerLimits.groupProducts} products can be put in order.`)
    .optional(),
})

/** As the mill prints it, without `:` and `|`, which separate codes and counts in lists of lots. */
export const lotCode = requiredText('Dye lot', ownerLimits.lot.code).refine(
  code => !/[:|]/.test(code),
  'A dye lot’s code cannot contain a colon or a vertical bar.',
)

/** The counted units of each dye lot, with the number that the editor was shown (`seen`). */
export const lotCounts = z
  .array(z.object({ code: lotCode, quantity: productFields.countInStock, seen: productFields.countInStock.nullish() }))
  .min(1, 'Please name at least one dye lot.')
  .max(2 * ownerLimits.lot.perProduct, `A product has at most ${ownerLimits.lot.perProduct} dye lots.`)
  .refine(
    counts => new Set(counts.map(({ code }) => code.toLowerCase())).size === counts.length,
    'One of the dye lots is there twice.',
  )

/** Lots as one cell of a spreadsheet: "4412:8|4417:2". */
export const lotsCell = z.string().transform((cell, context) => {
  const lots = cell.split('|').map(part => {
    const [, code, quantity] = /^\s*([^:]*?)\s*:\s*(\d{1,7})\s*$/.exec(part) ?? []
    return { code, quantity: Number(quantity) }
  })
  const { data, error } = lotCounts.safeParse(lots)
  if (data && unitsOf(data) <= limits.stock) return toLotsCell(data)
  context.addIssue(
    lots.some(({ code }) => code === undefined)
      ? 'Lots must be written like 4412:8|4417:2.'
      : (error?.issues[0]?.message ?? 'Count in stock is too high.'),
  )
  return z.NEVER
})

const toLotsCell = (lots: readonly LotPortion[]): string =>
  [...lots]
    .filter(({ quantity }) => quantity > 0)
    .sort((a, b) => (a.code < b.code ? -1 : 1))
    .map(({ code, quantity }) => `${code}:${quantity}`)
    .join('|')

/** Reads what `toLotsCell` wrote. */
export const fromLotsCell = (cell: string): LotPortion[] =>
  cell === ''
    ? []
    : cell.split('|').map(part => {
        const [code = '', quantity] = part.split(':')
        return { code, quantity: Number(quantity) }
      })

const SKU_RULE = 'SKU is 1 to 64 letters, digits, dots, dashes or underscores, and starts with a letter or digit.'

export const sku = z
  .string()
  .trim()
  .max(ownerLimits.sku, { error: SKU_RULE, abort: true })
  .toUpperCase()
  .regex(/^[A-Z0-9][A-Z0-9._-]{0,63}$/, SKU_RULE)
