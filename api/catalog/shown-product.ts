import type { EntityManager, EntityProperty } from '@mikro-orm/postgresql'
import { nth } from '#schema/rules/present'
import { Product } from './product.entity.ts'

export interface ProductRow extends Record<string, unknown> {
  id: string
  place?: number
}

interface Column {
  column: string
  name: string
  isTime: boolean
}

let columns: Column[] | null = null
let prototype: Product | null = null

const scalarsOf = (em: EntityManager): Column[] =>
  (columns ??= em
    .getMetadata(Product)
    .props.filter((property: EntityProperty) => property.fieldNames?.length === 1)
    .map(({ fieldNames, name, runtimeType }) => ({ column: nth(fieldNames, 0), name, isTime: runtimeType === 'Date' })))

/** What a product is read from. */
export const columnsOf = (em: EntityManager): string =>
  scalarsOf(em)
    .map(({ column }) => `"${column}"`)
    .join(', ')

/** A row as a product to be shown: nothing follows its changes, which takes a fifth of the time of an entity's. */
export function shown(em: EntityManager, row: ProductRow): Product {
  // The entity's own setters note what is to be saved.
  prototype ??= Object.create(
    Product.prototype,
    Object.fromEntries(scalarsOf(em).map(({ name }) => [name, { value: undefined, writable: true }])),
  ) as Product
  const product = Object.create(prototype) as Record<string, unknown>
  for (const { column, name, isTime } of scalarsOf(em)) {
    const value = row[column]
    product[name] = isTime && value !== null ? new Date(value as string) : value
  }
  return product as unknown as Product
}
