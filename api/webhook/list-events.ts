import type { EntityManager } from '@mikro-orm/postgresql'
import type { EventType } from '../generated/types.ts'
import { connectionOfRows, type Connection, type ConnectionArguments } from '../query/connection.ts'
import { eventBody, wireType } from './start-deliveries.ts'

interface Row extends Record<string, unknown> {
  id: string
  type: EventType
  subject_id: string
  sequence: number
  data: object
  created_at: string
}

/** What happened, as webhooks are sent it, in the order in which it was committed. */
export async function listEvents(em: EntityManager, types: readonly EventType[] | null, range: ConnectionArguments) {
  const { edges, pageInfo }: Connection<Row> = await connectionOfRows<Row>(
    em,
    {
      table: 'events',
      where: [types !== null && [`type in (${types.map(() => '?').join(', ') || 'null'})`, ...types]],
      by: ['recorded_in', 'xid8'],
      direction: 'asc',
      isFeed: true,
    },
    range,
  )
  return {
    edges: edges.map(({ cursor, node: { id, type, subject_id, sequence, data, created_at } }) => {
      const createdAt = new Date(created_at)
      return {
        cursor,
        node: {
          id,
          type,
          subjectId: subject_id,
          sequence,
          createdAt,
          payload: eventBody({ id, type: wireType(type), sequence, createdAt, data }),
        },
      }
    }),
    pageInfo,
  }
}
