import type { EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import type { EventType } from '../generated/types.ts'

export interface EventRecord {
  type: EventType
  /** The order or product it happened to. */
  subjectId: string
  /** The subject as it is now, for people outside: nothing about the shopper. */
  data: Record<string, unknown>
}

/** The channel on which shop processes hear of events the moment they are committed. */
export const EVENTS_CHANNEL = 'events'

/** Writes down what happened, inside the caller's transaction: change and event stand or fall together. */
export async function recordEvents(em: EntityManager, events: readonly EventRecord[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ type, subjectId, data }) => ({ id: v7(), type, subject_id: subjectId, data }))
  await em.execute(
    `with written as (
       insert into events (id, type, subject_id, data)
       select id, type, subject_id, data from jsonb_to_recordset(?::jsonb) as r(id uuid, type text, subject_id uuid, data jsonb)
       returning id, type, subject_id
     )
     select pg_notify('${EVENTS_CHANNEL}', json_build_object('id', id, 'type', type, 'subjectId', subject_id)::text) from written`,
    [JSON.stringify(rows)],
  )
}
