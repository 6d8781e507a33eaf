import type { EntityManager } from '@mikro-orm/postgresql'
import type { ApiKeyDay } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import type { Load } from '../query/batch.ts'

/** Days that are shown, with today. */
const TOLD_DAYS = 14
const KEPT_DAYS = 30

/** A request that came with a key, while it is worked on. */
export interface KeyUse {
  keyId: string
  points: number
  /** Whether it was answered with an error that its HTTP status does not tell. */
  failed: boolean
}

/** Counts how keys are used: in memory, until it is written down. */
export interface KeyUses {
  count(use: KeyUse): void
  flush(em: EntityManager): Promise<void>
}

export function openKeyUses(): KeyUses {
  let waiting = new Map<string, { calls: number; errors: number; points: number }>()
  return {
    count({ keyId, points, failed }) {
      const count = waiting.get(keyId) ?? { calls: 0, errors: 0, points: 0 }
      waiting.set(keyId, count)
      count.calls++
      count.errors += Number(failed)
      count.points += points
    },
    async flush(em) {
      if (waiting.size === 0) return
      const rows = Array.from(waiting, ([id, count]) => ({ id, ...count })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
      waiting = new Map()
      await em.execute(
        `insert into api_key_uses (api_key_id, day, calls, errors, points)
         select id, ?::date, calls, errors, points
         from jsonb_to_recordset(?::jsonb) as r(id uuid, calls integer, errors integer, points bigint) order by id
         on conflict (api_key_id, day) do update set calls = api_key_uses.calls + excluded.calls,
           errors = api_key_uses.errors + excluded.errors, points = api_key_uses.points + excluded.points`,
        [dayBefore(0), JSON.stringify(rows)],
      )
    },
  }
}

/** What was counted of each key in the last days, the newest first. */
export const keyDays: Load<string, ApiKeyDay[]> = async (em, ids) => {
  const rows = await em.execute<(ApiKeyDay & { id: string })[]>(
    `select api_key_id as id, day::text, calls, errors, points::float8 as cost from api_key_uses
     where api_key_id in (?) and day > ?::date order by day desc`,
    [ids, dayBefore(TOLD_DAYS)],
  )
  const byKey = Map.groupBy(rows, ({ id }) => id)
  return ids.map(id => (byKey.get(id) ?? []).map(({ day, calls, errors, cost }) => ({ day, calls, errors, cost })))
}

export async function forgetUses(em: EntityManager): Promise<void> {
  await em.execute('delete from api_key_uses where day < ?::date', [dayBefore(KEPT_DAYS)])
}

const dayBefore = (days: number) => new Date(clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10)
