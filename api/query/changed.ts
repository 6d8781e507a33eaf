import { refuse } from '../kernel/errors.ts'
import { isId } from '../kernel/validation.ts'
import type { Condition } from './paging.ts'

const MOST_IDS = 100

interface Narrowed {
  ids?: readonly string[] | null
  updatedFrom?: Date | null
  updatedTo?: Date | null
}

/** What filters by id and by last change ask for, as SQL. Null when nothing can match. */
export function changed({ ids, updatedFrom, updatedTo }: Narrowed): Condition[] | null {
  if (ids && ids.length > MOST_IDS)
    throw refuse('INVALID', `\`ids\` takes at most ${MOST_IDS} ids.`, { field: ['filter', 'ids'] })
  const known = ids?.filter(isId)
  if (known?.length === 0) return null
  return [
    ...(known ? [[`id in (${known.map(() => '?').join(', ')})`, ...known] as Condition] : []),
    ...(updatedFrom ? [['updated_at >= ?', updatedFrom] as Condition] : []),
    ...(updatedTo ? [['updated_at < ?', updatedTo] as Condition] : []),
  ]
}
