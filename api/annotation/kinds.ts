import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAccountChange } from '../account/account-event.ts'
import { recordProductChanges } from '../catalog/product-event.ts'
import { recordOrderEvents } from '../order/order-event.ts'

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
  /** Tells the world that it has changed. */
  record(em: EntityManager, id: string): Promise<void>
}

export const KINDS: Record<Annotated, Kind> = {
  ORDER: {
    table: 'orders',
    column: 'order_id',
    label: `'#' || t.number`,
    isGone: 'false',
    missing: 'There is no such order.',
    record: (em, id) => recordOrderEvents(em, 'ORDER_ANNOTATED', [{ id }]),
  },
  PRODUCT: {
    table: 'products',
    column: 'product_id',
    label: 't.name',
    isGone: 't.archived_at is not null',
    missing: 'There is no such product.',
    record: (em, id) => recordProductChanges(em, [id]),
  },
  USER: {
    table: 'users',
    column: 'user_id',
    label: 't.email',
    isGone: 't.closed_at is not null',
    missing: 'There is no such user.',
    record: (em, id) => recordAccountChange(em, { id }),
  },
}
