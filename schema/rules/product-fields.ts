import { NO_PICTURE } from './image.ts'

interface Values {
  text: string
  cents: number
  units: number
  /** Yes or no. */
  flag: boolean
  /** A calendar day such as 2026-12-24. */
  day: string | null
}

/**
 * What administrators say of a product, and of which kind it is. Rules, spreadsheets, REST, the form, drafts and the audit log
 * make their own of it, so that a new one has a row here.
 */
export const PRODUCT_FIELDS = {
  name: 'text',
  image: 'text',
  description: 'text',
  weight: 'text',
  length: 'text',
  gauge: 'text',
  knittingNeedle: 'text',
  crochetHook: 'text',
  recommendedCare: 'text',
  content: 'text',
  category: 'text',
  price: 'cents',
  countInStock: 'units',
  expectedOn: 'day',
  reducedTax: 'flag',
} as const satisfies Record<string, keyof Values>

export type ProductField = keyof typeof PRODUCT_FIELDS
export type FieldKind = keyof Values
type KindOf<Field extends ProductField> = (typeof PRODUCT_FIELDS)[Field]
type FieldOf<Kind extends FieldKind> = {
  [Field in ProductField]: KindOf<Field> extends Kind ? Field : never
}[ProductField]

export const kindOf = (field: ProductField): FieldKind => PRODUCT_FIELDS[field]

/** Of each field what is made for its kind. */
export function ofEachField<Makers extends { [Kind in FieldKind]: (field: FieldOf<Kind>) => unknown }>(make: Makers) {
  return Object.fromEntries(
    Object.entries(PRODUCT_FIELDS).map(([field, kind]) => [field, make[kind](field as never)]),
  ) as { [Field in ProductField]: ReturnType<Makers[KindOf<Field>]> }
}

/** A product of which nothing was said. */
export const BLANK_PRODUCT = {
  ...ofEachField({ text: () => '', cents: () => 0, units: () => 0, flag: () => false, day: () => null }),
  image: NO_PICTURE,
}

/** `recommended_care` for `recommendedCare`: columns, and attributes for agents. */
export const snakeCase = (field: string) => field.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** "Recommended care" for `recommendedCare`. */
export function labelOf(field: string): string {
  const words = snakeCase(field).replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
