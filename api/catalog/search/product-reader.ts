import { setImmediate } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { lastOf, nth } from '#schema/rules/present'
import { primaryOf } from '../../query/primary.ts'
import { read } from '../../query/read.ts'
import { PACKED, ROW, rowOf, unpack, type Change, type Packed, type Row } from './facet-row.ts'
import type { Neighbour } from './name-order.ts'

/** So many rows are read at a time: few enough for others to be answered in between. */
const BATCH = 1_000

/** What is told of what was read. */
interface Listener {
  /** Of each product, once. */
  known(product: Row): void
  changed(product: Row, isReworded: boolean): void
  /** Of the shop's own words and synonyms. */
  vocabularyChanged(): void
}

/** Reads every product once, and then what transactions have changed of them since. */
export class ProductReader {
  /** Transactions from this one on may have changed something that was not seen yet. Null before anything was read. */
  #horizon: string | null = null
  /** What was read the last time, and which transaction had changed it: the same change may be reported again. */
  #heard = new Map<number, string>()
  /** The transactions that were heard of the last time to have changed the vocabulary. Null for none. */
  #vocabularyHeard: string | null = null
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null
  readonly #listener: Listener

  constructor(listener: Listener) {
    this.#listener = listener
  }

  /**
   * Reads what has changed. One who comes while that goes on waits for the next time, for this one may have begun too early;
   * unless it fails: a database that does not answer keeps nobody waiting twice.
   */
  hear(em: EntityManager): Promise<void> {
    if (!this.#running) {
      this.#running = this.#read(primaryOf(em)).finally(() => {
        this.#running = null
      })
      return this.#running
    }
    this.#next ??= this.#running
      .finally(() => {
        this.#next = null
      })
      .then(() => this.hear(em))
    return this.#next
  }

  /** What tells whether a product, as it is, was heard of by now. */
  heardByNow(): (product: Neighbour) => boolean {
    const [horizon, heard] = [BigInt(this.#horizon ?? 0), this.#heard]
    return ({ place, change }) => BigInt(change) < horizon || heard.get(place) === change
  }

  async #read(em: EntityManager): Promise<void> {
    this.#horizon ??= await this.#readAll(em)
    // What the first statement does not see has a number from its horizon on.
    let next: string | null = null
    const heard = new Map<number, string>()
    for (let last: [change: string, place: number] = [this.#horizon, 0]; ;) {
      // Could PostgreSQL see that few have changed, it would plan it again each time, which takes twenty times as long. Mostly nothing
      // has, and one value that is not there takes less time to read than twenty.
      const rows = await read<{
        horizon: string
        vocabulary: string | null
        row: (Change & { reworded: boolean | null }) | null
      }>(
        em,
        `select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, to_json(changed) as row,
           (select string_agg(changed_in::text, ' ' order by changed_in) from vocabulary_changes where changed_in >= (select ?::text::xid8)) as vocabulary
         from (select 1) one left join lateral (
           select ${ROW}, p.facts_changed::text as facts_changed, p.document_changed >= ?::text::xid8 as reworded from products p
           where (p.facts_changed, p.place) > ((select ?::text::xid8), (select ?::int)) order by p.facts_changed, p.place limit ${BATCH}
         ) changed on true`,
        [this.#horizon, this.#horizon, ...last],
      )
      if (next === null) {
        const { horizon, vocabulary } = nth(rows, 0)
        next = horizon
        if (vocabulary !== null && vocabulary !== this.#vocabularyHeard) this.#listener.vocabularyChanged()
        this.#vocabularyHeard = vocabulary
      }
      const changed = rows.flatMap(({ row }) => row ?? [])
      for (const row of changed) {
        heard.set(row.place, row.facts_changed)
        if (this.#heard.get(row.place) === row.facts_changed) continue
        this.#listener.changed(rowOf(row), row.reworded === true)
      }
      if (changed.length < BATCH) break
      const { facts_changed: change, place } = lastOf(changed)
      last = [change, place]
    }
    this.#heard = heard
    this.#horizon = next
  }

  /** Returns the transaction from which on something may have been missed. */
  async #readAll(em: EntityManager): Promise<string> {
    const [{ horizon }] = (await em.execute('select pg_snapshot_xmin(pg_current_snapshot())::text as horizon')) as [
      { horizon: string },
    ]
    const partAfter = (place: number) =>
      read<Packed>(
        em,
        `select ${PACKED} from (select ${ROW} from products p where p.place > ? order by p.place limit ${BATCH}) part`,
        [place],
      )
    for (let next: Promise<Packed[]> | null = partAfter(0); next;) {
      const rows = unpack(nth(await next, 0))
      next = rows.length < BATCH ? null : partAfter(lastOf(rows).place)
      // The next part is on its way before this one is gone through, and may fail before it is awaited.
      next?.catch(() => {})
      if (next) await setImmediate()
      for (const row of rows) this.#listener.known(row)
    }
    return horizon
  }
}
