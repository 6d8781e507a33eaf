import type { EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import type { EventType } from '../generated/types.ts'
import { write } from '../query/read.ts'

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
  if (events.length > 0) await recordSelected(em, `happened as (select * from ${GIVEN})`, [given(events)])
}

/** Events that are the one parameter of a statement, as `recordSelected` wants them. */
export const GIVEN = 'jsonb_to_recordset(?::jsonb) as h(id uuid, type text, subject_id uuid, data jsonb, index integer)'

/** The parameter of `GIVEN`. */
export const given = (events: readonly EventRecord[]): string =>
  JSON.stringify(
    events.map(({ type, subjectId, data }, index) => ({ id: v7(), type, subject_id: subjectId, data, index })),
  )

/** As `recordEvents`, of what `with … happened as (…)` selects as `id`, `type`, `subject_id`, `data` and `index`. Returns how many those were. */
export async function recordSelected(
  em: EntityManager,
  happened: string,
  values: Parameters<typeof write>[2],
): Promise<number> {
  const announced = await write(
    em,
    `with ${happened}, counted as (
       -- Held until the transaction ends: the events of one thing are numbered in the order they are committed.
       insert into event_sequences (subject_id, last) select subject_id, count(*) from happened group by subject_id order by subject_id
       on conflict (subject_id) do update set last = event_sequences.last + excluded.last
       returning subject_id, last
     ), written as (
       insert into events (id, type, subject_id, data, sequence)
       select id, type, subject_id, data,
         last - count(*) over (partition by subject_id) + row_number() over (partition by subject_id order by index)
       from happened join counted using (subject_id)
       returning id, type, subject_id, coalesce(data #>> '{product,id}', data #>> '{review,productId}') as product_id
     )
     select pg_notify('${EVENTS_CHANNEL}', json_strip_nulls(
       json_build_object('id', id, 'type', type, 'subjectId', subject_id, 'productId', product_id))::text) from written`,
    values,
  )
  return announced.length
}
