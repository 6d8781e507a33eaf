import type { EntityManager } from '@mikro-orm/postgresql'
import { read } from '../query/read.ts'
import { Order } from './order.entity.ts'

/** The order as it is stored. Paying reads it with each click, so it is a named statement. */
export async function findOrder(em: EntityManager, id: string): Promise<Order | null> {
  const [row] = await read<object>(em, `select ${columnsOf(em)} from orders where id = ?`, [id])
  return row ? em.map(Order, row) : null
}

const columnsOf = (em: EntityManager) =>
  em
    .getMetadata(Order)
    .props.filter(({ fieldNames, persist }) => fieldNames?.length === 1 && persist !== false)
    .flatMap(({ fieldNames }) => fieldNames)
    .join()
