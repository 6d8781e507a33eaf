import type { EntityManager } from '@mikro-orm/postgresql'
import { lastOf } from '#schema/rules/present'

/** Any number, the same for every shop process: who adds words shares it, who takes them away has it alone. */
export const VOCABULARY_LOCK = 7_304_417

const BATCH = 100
/** So many are kept of the transactions that changed the vocabulary; each process reads those that it has not heard of. */
const MOST_CHANGES = 100

const UNUSED = `not exists (select 1 from product_documents where document @@ to_tsquery('english', '''' || v.word || ''''))`

/** Takes words that no product has any more out of the vocabulary. Returns how many there were. */
export async function forgetWords(em: EntityManager): Promise<number> {
  let [last, forgotten] = ['', 0]
  for (;;) {
    const words = await em.execute<{ word: string }[]>(
      `select word from search_words where word > ? order by word limit ${BATCH}`,
      [last],
    )
    if (words.length === 0) break
    last = lastOf(words).word
    forgotten += await em.fork().transactional(tx =>
      forgetUnused(
        tx,
        words.map(({ word }) => word),
      ),
    )
  }
  await forgetChanges(em)
  return forgotten
}

/** Whoever did not hear of what is deleted here hears of a change all the same: of this one. */
async function forgetChanges(em: EntityManager): Promise<void> {
  await em.execute(
    `with gone as (
       delete from vocabulary_changes where changed_in < pg_snapshot_xmin(pg_current_snapshot())
         and (select count(*) from vocabulary_changes) > ? returning 1
     )
     insert into vocabulary_changes select pg_current_xact_id() where exists (select 1 from gone)`,
    [MOST_CHANGES],
  )
}

async function forgetUnused(em: EntityManager, words: readonly string[]): Promise<number> {
  // Nearly every word has a product, which an index finds at once. To find that a word has none must not read all products.
  await em.execute(`select set_config('enable_seqscan', 'off', true)`)
  const among = 'from jsonb_array_elements_text(?::jsonb) as v(word)'
  const unused = await em.execute<{ word: string }[]>(`select word ${among} where ${UNUSED}`, [JSON.stringify(words)])
  if (unused.length === 0) return 0
  // A product may be getting one of them just now. Nobody waits for that: there is a next time.
  const [{ alone }] = (await em.execute('select pg_try_advisory_xact_lock(?) as alone', [VOCABULARY_LOCK])) as [
    { alone: boolean },
  ]
  if (!alone) return 0
  const gone = await em.execute<unknown[]>(
    `delete from search_words where word in (select word ${among} where ${UNUSED}) returning word`,
    [JSON.stringify(unused.map(({ word }) => word))],
  )
  return gone.length
}
