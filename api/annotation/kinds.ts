/** What can be annotated. */
export type Annotated = 'ORDER' | 'PRODUCT' | 'USER'

interface Kind {
  table: string
  /** By which annotations refer to it. */
  column: string
  /** SQL: what people call it. */
  label: string
  /** SQL: it is kept, and nobody changes it any more. */
  isGone: string
  missing: string
}

export const KINDS: Record<Annotated, Kind> = {
  ORDER: {
    table: 'orders',
    column: 'order_id',
    label: `'#' || t.number`,
    isGone: 'false',
    missing: 'There is no such order.',
  },
  PRODUCT: {
    table: 'products',
    column: 'product_id',
    label: 't.name',
    isGone: 't.archived_at is not null',
    missing: 'There is no such product.',
  },
  USER: {
    table: 'users',
    column: 'user_id',
    label: 't.email',
    isGone: 't.closed_at is not null',
    missing: 'There is no such user.',
  },
}
