import type { EntityManager } from '@mikro-orm/postgresql'
import { colourWords, familiesNamedBy } from '#schema/rules/facts/colour-family'
import { limits } from '#schema/rules/limits'
import { nth, valueAt } from '#schema/rules/present'
import { read } from '../../query/read.ts'
import { editDistance } from './edit-distance.ts'
import { spelledPlies, wordsOf } from './words.ts'

/** Ways to say one thing: the product has the words of one of them, one after the other. */
export interface Term {
  ways: string[][]
  /** As it was typed, which ranks before what only means the same. */
  typed: string[]
  /** Says nothing that a product must have: `weight` of "worsted weight". */
  optional: boolean
  /** Says what it is for: `4mm needles` of "yarn for 4mm needles". */
  purpose: boolean
}

export interface Keyword {
  terms: Term[]
  /** Whether a word of it is in no product and resembles none. */
  unknown: boolean
  /** The keyword with its typing errors mended. Null when there was nothing to mend. */
  corrected: string | null
}

const MOST_WORDS = 12
const MOST_CORRECTED = 4
const MOST_ENDINGS = 30
const OPTIONAL = new Set([
  'weight',
  'size',
  'sized',
  'knitting',
  'knit',
  'colour',
  'color',
  'set',
  'nice',
  'good',
  'best',
  'cheap',
])

interface Word {
  word: string
  stem: string
  stop: boolean
  /** Whether a product has it. */
  known: boolean
}

interface Synonym {
  meaning: number
  words: string
  stem: string
}

/** How a keyword is read: without mending it, or as the beginning of one. */
export interface Reading {
  asTyped?: boolean
  typing?: boolean
}

/** Whether it is short enough and can be stored as text. */
export const isReadable = (keyword: string) =>
  keyword.length <= limits.keyword && !keyword.includes('\0') && keyword.isWellFormed()

/** What a readable keyword asks for. Null when it has no word, so that nothing matches. */
export async function readKeyword(
  em: EntityManager,
  synonyms: Synonyms,
  keyword: string,
  { asTyped = false, typing = false }: Reading,
): Promise<Keyword | null> {
  const phrases = [...keyword.matchAll(/"([^"]+)"/g)]
    .map(([, phrase = '']) => wordsOf(phrase))
    .filter(words => words.length > 0)
  const tokens = wordsOf(spelledPlies(keyword.replaceAll(/"[^"]+"/g, ' '))).slice(0, MOST_WORDS)
  if (tokens.length === 0 && phrases.length === 0) return null

  const pairs = tokens.slice(1).map((word, place) => nth(tokens, place) + word)
  const words = await lookUp(em, [...new Set([...tokens, ...pairs, ...tokens.flatMap(halves).flat()])])
  const known = (word: string) =>
    valueAt(words, word).known || synonyms.parts.has(valueAt(words, word).stem) || coloursOf(word).length > 0

  const terms: Term[] = []
  const mended: string[] = []
  let [unknown, corrections, purpose] = [false, 0, false]
  let waiting: Word[] = []
  const add = (typed: string[], ways: string[][], optional = false) => terms.push({ ways, typed, optional, purpose })
  // Words that are what they are wait for each other: several may be one synonym.
  const settle = async () => {
    const said = synonyms.termsOf(waiting)
    waiting = []
    for (const { typed, ways, optional } of said) {
      const isInShop = typed.length > 1 || valueAt(words, nth(typed, 0)).known
      add(
        typed,
        isInShop ? ways : [...ways, ...coloursOf(nth(typed, 0)), ...(await endings(em, nth(typed, 0)))],
        optional,
      )
    }
  }
  for (const words of phrases) add(words, [words])
  for (let place = 0; place < tokens.length; place++) {
    const token = nth(tokens, place)
    const next = tokens[place + 1]
    const word = valueAt(words, token)
    if (next && valueAt(words, token + next).known && token.length + next.length > 3) {
      await settle()
      add([token + next], [[token + next], [token, next], ...synonyms.waysOf([valueAt(words, token + next).stem])])
      mended.push(token, next)
      place++
      continue
    }
    mended.push(token)
    if (known(token)) {
      if (typing && place === tokens.length - 1 && !word.stop) {
        await settle()
        const others = word.known ? [] : coloursOf(token)
        add([token], [[token], ...(await endings(em, token)), ...synonyms.waysOf([word.stem]), ...others])
      } else waiting.push(word)
      continue
    }
    // Alone it is not meant as such: who types "me" begins to type "merino".
    if (word.stop && !(typing && tokens.length === 1)) {
      waiting.push(word)
      if (token === 'for' && place > 0) {
        await settle()
        purpose = true
      }
      continue
    }
    await settle()
    const begun = token.length >= 3 || typing ? await endings(em, token) : []
    const split = halves(token).find(parts => parts.every(part => valueAt(words, part).known))
    if (begun.length > 0 && (!asTyped || typing)) {
      add([token], begun)
    } else if (split && !asTyped) {
      const whole = synonyms.termsOf(split.map(part => valueAt(words, part)))
      add(split, whole.length === 1 ? nth(whole, 0).ways : [split])
    } else {
      const better =
        asTyped || corrections === MOST_CORRECTED || /\d/.test(token)
          ? null
          : await correct(em, token, [...synonyms.words, ...colourWords()])
      if (better) {
        corrections++
        mended[mended.length - 1] = better
        const found = valueAt(await lookUp(em, [better]), better)
        words.set(better, found)
        waiting.push(found)
      } else {
        unknown = true
        add([token], [[token]], OPTIONAL.has(token))
      }
    }
  }
  await settle()
  if (terms.length === 0) return null
  if (terms.every(({ optional }) => optional)) for (const term of terms) term.optional = false
  return { terms, unknown, corrected: corrections > 0 ? mended.join(' ') : null }
}

/** What no product says may still name a colour that products have. */
const coloursOf = (word: string): string[][] => familiesNamedBy(word).map(family => [family.toLowerCase()])

/** A word of five letters or more in two of at least two. */
function halves(word: string): [string, string][] {
  if (word.length < 5 || word.length > 30 || /\d/.test(word)) return []
  return Array.from({ length: word.length - 3 }, (_, place) => [word.slice(0, place + 2), word.slice(place + 2)])
}

/** What the shop knows of words. */
async function lookUp(em: EntityManager, words: readonly string[]): Promise<Map<string, Word>> {
  // As search_stem has it, of one word each, which takes a tenth of the time. One word at a time is looked up by its index:
  // compared with all words of the shop at once, it would take longer the more of them there are.
  const rows = await read<Word>(
    em,
    `select word, stem, stop, coalesce((select true from search_words known where known.stem = asked.stem limit 1), false) as known
     from (select word, coalesce(lexemes[1], word) as stem, coalesce(lexemes = '{}', false) as stop
           from (select word, ts_lexize('english_stem', word) as lexemes from jsonb_array_elements_text(?::jsonb) as w(word) offset 0) read) asked`,
    [JSON.stringify(words)],
  )
  return new Map(rows.map(row => [row.word, row]))
}

/** The shop's words that begin so. */
async function endings(em: EntityManager, beginning: string): Promise<string[][]> {
  if (/\d/.test(beginning)) return []
  const rows = await read<{ word: string }>(
    em,
    `select word from search_words where word >= ? and word < ? order by word limit ${MOST_ENDINGS}`,
    [beginning, `${beginning}\uffff`],
  )
  return rows.map(({ word }) => [word])
}

const mostEdits = (word: string) => (word.length < 3 ? 0 : word.length < 7 ? 1 : word.length < 10 ? 2 : 3)

/** The word of the shop that was probably meant. Null when none is near. */
async function correct(em: EntityManager, word: string, others: readonly string[]): Promise<string | null> {
  const most = mostEdits(word)
  if (most === 0) return null
  const alike = await read<{ word: string }>(
    em,
    `select word from search_words where word !~ '[0-9]' and length(word) >= 3 order by word <-> ? limit 60`,
    [word],
  )
  const [best] = [...alike.map(({ word }) => word), ...others.filter(other => other.length >= 3 && !/\d/.test(other))]
    .map(other => ({
      other,
      far:
        editDistance(word, other, most) + (other[0] === word[0] ? 0 : 0.5) + (other.at(-1) === word.at(-1) ? 0 : 0.1),
    }))
    .filter(({ far }) => far < most + 1)
    .toSorted((a, b) => a.far - b.far)
  return best?.other ?? null
}

export type Synonyms = Awaited<ReturnType<typeof readSynonyms>>

export async function readSynonyms(em: EntityManager) {
  const rows = await em.execute<Synonym[]>('select meaning, words, stem from search_synonyms')
  const byStem = Map.groupBy(rows, ({ stem }) => stem)
  const byMeaning = Map.groupBy(rows, ({ meaning }) => meaning)
  const longest = Math.max(1, ...rows.map(({ stem }) => stem.split(' ').length))

  /** All that means the same. */
  const waysOf = (stems: readonly string[]): string[][] =>
    (byStem.get(stems.join(' ')) ?? [])
      .flatMap(({ meaning }) => valueAt(byMeaning, meaning))
      .map(({ words }) => words.split(' '))
      // A single letter is no word for PostgreSQL: the rest of it would be found alone.
      .filter(way => way.length === 1 || way.every(word => word.length > 1))

  return {
    parts: new Set(rows.flatMap(({ stem }) => stem.split(' '))),
    words: [...new Set(rows.flatMap(({ words }) => words.split(' ')))],
    waysOf,
    termsOf(words: readonly Word[]): Omit<Term, 'purpose'>[] {
      const terms: Omit<Term, 'purpose'>[] = []
      for (let place = 0; place < words.length;) {
        const most = Math.min(longest, words.length - place)
        const count =
          Array.from({ length: most }, (_, shorter) => most - shorter).find(count =>
            byStem.has(
              words
                .slice(place, place + count)
                .map(({ stem }) => stem)
                .join(' '),
            ),
          ) ?? 0
        const said = words.slice(place, place + Math.max(count, 1))
        place += said.length
        const typed = said.map(({ word }) => word)
        if (count === 0 && nth(said, 0).stop) continue
        const size = /^\d+(?:p\d+)?$/.test(nth(typed, 0)) && count < 2 ? [[`${typed[0]}mm`]] : []
        const ways = [
          ...(typed.every(word => word.length > 1) || count === 0 ? [typed] : []),
          ...size,
          ...waysOf(said.map(({ stem }) => stem)),
        ]
        terms.push({ ways, typed, optional: count === 0 && OPTIONAL.has(nth(typed, 0)) })
      }
      return terms
    },
  }
}
