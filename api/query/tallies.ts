import type { EntityManager } from '@mikro-orm/postgresql'
import { listed, read } from './read.ts'

/**
 * How many there are by each of these names, exactly; see Migration075Tallies and Migration090CodeTallies. `more` is trusted SQL that selects names and values of
 * what can be counted because it is little.
 */
export async function tallied<Name extends string>(
  em: EntityManager,
  names: readonly Name[],
  more = '',
): Promise<Record<Name, number>> {
  const rows = await read<{ name: Name; value: number }>(
    em,
    `select name, sum(value)::float8 as value from (select * from tallies union all select * from tally_changes) t
     where name = any (?::text[]) group by name${more && ` union all ${more}`}`,
    [listed(names)],
  )
  const found = new Map(rows.map(({ name, value }) => [name, value]))
  return Object.fromEntries(names.map(name => [name, found.get(name) ?? 0])) as Record<Name, number>
}

/** Adds up what has changed since the last time. */
export async function addUpTallies(em: EntityManager): Promise<void> {
  // One statement: what is taken away is what is added, and readers see it in exactly one of both places meanwhile.
  await em.execute(
    `with taken as (delete from tally_changes returning *)
     insert into tallies (name, value) select name, sum(value) from taken group by name
     on conflict (name) do update set value = tallies.value + excluded.value`,
  )
}
