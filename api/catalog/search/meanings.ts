import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { present } from '#schema/rules/present'
import { clock } from '../../kernel/clock.ts'
import { refuse } from '../../kernel/errors.ts'
import { check, requiredText } from '../../kernel/validation.ts'
import type { SynonymInput } from '../../generated/types.ts'
import { SYNONYMS } from './synonyms.ts'
import { wordsOf } from './words.ts'

/** Words that mean the same to a search. */
export interface Meaning {
  id: string
  words: string[]
  isBuiltIn: boolean
}

const MOST_MEANINGS = 500

const READ = `select 'synonym-' || m.id as id, array_agg(s.words order by s.words) as words, m.shipped is not null and m.changed_at is null as "isBuiltIn"
  from search_meanings m join search_synonyms s on s.meaning = m.id`

export async function listMeanings(em: EntityManager): Promise<Meaning[]> {
  return em.execute<Meaning[]>(`${READ} group by m.id order by words limit ${MOST_MEANINGS}`)
}

const input = z.object({
  id: z.string().nullish(),
  words: z
    .array(requiredText('Each way to say it', 60))
    .min(2, 'Please give at least two ways to say it.')
    .max(20, 'Please give at most 20 ways to say it.'),
})

/** Says what means the same, in place of what the meaning said before. */
export async function saveMeaning(em: EntityManager, given: SynonymInput): Promise<Meaning> {
  const { id, words: said } = check(input, given)
  const words = [...new Set(said.map(each => wordsOf(each).join(' ')))]
  const [bad] = words.filter(each => each === '' || each.split(' ').length > 5)
  if (bad !== undefined) throw refuse('INVALID', 'Each way to say it must be one to five words.', { field: ['words'] })
  if (words.length < 2)
    throw refuse('INVALID', 'A search finds the same with either already. Please give two that differ.', {
      field: ['words'],
    })
  return em.transactional(async tx => {
    const meaning = id == null ? await addMeaning(tx) : await changed(tx, id)
    await tx.execute('delete from search_synonyms where meaning = ?', [meaning])
    await tx.execute(
      'insert into search_synonyms (meaning, words) select ?, words from jsonb_array_elements_text(?::jsonb) as w(words)',
      [meaning, JSON.stringify(words)],
    )
    return present(await readMeaning(tx, meaning))
  })
}

/** Takes a meaning back. One that came with the shop is remembered, so that it does not come again. */
export async function deleteMeaning(em: EntityManager, id: string): Promise<Meaning> {
  return em.transactional(async tx => {
    const meaning = await changed(tx, id)
    const before = present(await readMeaning(tx, meaning))
    await tx.execute('delete from search_synonyms where meaning = ?', [meaning])
    await tx.execute('delete from search_meanings where id = ? and shipped is null', [meaning])
    return before
  })
}

async function readMeaning(em: EntityManager, id: number): Promise<Meaning | undefined> {
  const [meaning] = await em.execute<Meaning[]>(`${READ} where m.id = ? group by m.id`, [id])
  return meaning
}

async function addMeaning(em: EntityManager): Promise<number> {
  // One at a time, so that two cannot both add the last one.
  await em.execute('lock table search_meanings in share row exclusive mode')
  const [{ count }] = (await em.execute('select count(*)::int as count from search_meanings')) as [{ count: number }]
  if (count >= MOST_MEANINGS)
    throw refuse('INVALID', `A shop keeps at most ${MOST_MEANINGS} synonyms.`, { field: ['words'] })
  const [{ id }] = (await em.execute('insert into search_meanings (changed_at) values (?) returning id', [
    clock.now(),
  ])) as [{ id: number }]
  return id
}

async function changed(em: EntityManager, id: string): Promise<number> {
  const number = /^synonym-(\d{1,9})$/.exec(id)?.[1]
  const rows = number
    ? await em.execute<{ id: number }[]>(
        `update search_meanings set changed_at = ? where id = ? and exists (select 1 from search_synonyms where meaning = search_meanings.id) returning id`,
        [clock.now(), Number(number)],
      )
    : []
  if (!rows[0]) throw refuse('NOT_FOUND', 'There is no such synonym (any more).', { field: ['id'] })
  return rows[0].id
}

/** Brings the meanings that come with the shop up to date; what the owner changed, added or took back stays. */
export async function shipMeanings(em: EntityManager, list: readonly (readonly string[])[] = SYNONYMS): Promise<void> {
  const shipped = JSON.stringify(list.map(([first]) => first))
  await em.transactional(async tx => {
    await tx.execute('lock table search_meanings in share row exclusive mode')
    await tx.execute(
      `delete from search_meanings where shipped is not null and changed_at is null
       and shipped not in (select jsonb_array_elements_text(?::jsonb))`,
      [shipped],
    )
    await tx.execute(
      `insert into search_meanings (shipped) select jsonb_array_elements_text(?::jsonb) on conflict (shipped) do nothing`,
      [shipped],
    )
    const rows = JSON.stringify(list.flatMap(words => words.map(each => ({ shipped: words[0], words: each }))))
    const wanted = `select m.id, r.words from jsonb_to_recordset(?::jsonb) as r(shipped text, words text)
      join search_meanings m on m.shipped = r.shipped and m.changed_at is null`
    await tx.execute(
      `delete from search_synonyms s using search_meanings m
       where m.id = s.meaning and m.shipped is not null and m.changed_at is null and (s.meaning, s.words) not in (${wanted})`,
      [rows],
    )
    await tx.execute(`insert into search_synonyms (meaning, words) ${wanted} on conflict do nothing`, [rows])
  })
}
