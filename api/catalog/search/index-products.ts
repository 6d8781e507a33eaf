import type { EntityManager } from '@mikro-orm/postgresql'
import {
  factsOf,
  sizesIn,
  type BandTexts,
  type FactCorrections,
  type PictureColours,
} from '#schema/rules/facts/product-facts'
import { WEIGHT_CLASSES } from '#schema/rules/facts/shelf-names'
import { lastOf } from '#schema/rules/present'
import { VOCABULARY_LOCK } from './forget-words.ts'
import { searchDocumentOf } from './search-document.ts'
import { MOST_LETTERS } from './words.ts'

/**
 * Grows when documents are written in another way, with the index `products_unindexed`; products with an older one are
 * indexed again at the next start.
 */
const FORMAT = 6

const BATCH = 250

interface Row extends BandTexts {
  id: string
  sku: string
  factCorrections: FactCorrections
  image: string
  pictureColours: PictureColours | null
  isForSale: boolean
}

const COLUMNS: Record<keyof Row, string> = {
  id: 'id',
  sku: 'sku',
  name: 'name',
  description: 'description',
  weight: 'weight',
  length: 'length',
  gauge: 'gauge',
  knittingNeedle: 'knitting_needle',
  crochetHook: 'crochet_hook',
  recommendedCare: 'recommended_care',
  content: 'content',
  category: 'category',
  factCorrections: 'fact_corrections',
  image: 'image',
  pictureColours: 'picture_colours',
  isForSale: 'published_at is not null and archived_at is null',
}
const ROW = Object.entries(COLUMNS)
  .map(([field, sql]) => `${sql} as "${field}"`)
  .join(', ')

/**
 * Writes what products are found by, inside the transaction that wrote them. Whoever changes a product's texts, puts it
 * on sale or takes it off calls this, and nobody else writes these columns.
 */
export async function indexProducts(em: EntityManager, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += BATCH) await indexBatch(em, ids.slice(from, from + BATCH))
}

async function indexBatch(em: EntityManager, ids: readonly string[]): Promise<void> {
  // From here on no word is taken out of the vocabulary.
  const products = await em.execute<Row[]>(
    `select ${ROW}, pg_advisory_xact_lock_shared(?)
     from products where id in (?) order by id for no key update`,
    [VOCABULARY_LOCK, [...ids]],
  )
  const words = new Set<string>()
  const rows = products.map(product => {
    const facts = factsOf(product, product.factCorrections, seenIn(product))
    const document = product.isForSale ? searchDocumentOf(product, facts) : null
    for (const text of document ? Object.values(document) : [])
      for (const word of text.split(' ')) if (word && word.length <= MOST_LETTERS) words.add(word)
    return {
      id: product.id,
      a: document?.a,
      b: document?.b,
      c: document?.c,
      d: document?.d,
      for_sale: product.isForSale,
      facts,
      kind: facts.kind,
      weight_class: facts.weightClass && WEIGHT_CLASSES.indexOf(facts.weightClass),
      superwash: facts.superwash,
      metres: facts.metres,
      fibres: facts.fibres.flatMap(({ fibre }) => fibre ?? []),
      colours: facts.colourFamilies,
      needle_mm: sizesIn(facts.needles),
      hook_mm: sizesIn(facts.hooks),
    }
  })
  await em.execute(
    `update products p set
       search_document = case when r.for_sale then
         setweight(to_tsvector('english', r.a), 'A') || setweight(to_tsvector('english', r.b), 'B') ||
         setweight(to_tsvector('english', r.c), 'C') || setweight(to_tsvector('english', r.d), 'D') end,
       search_format = ${FORMAT}, facts = r.facts, kind = r.kind, weight_class = r.weight_class, superwash = r.superwash, metres = r.metres,
       fibres = r.fibres, colours = r.colours, needle_mm = r.needle_mm, hook_mm = r.hook_mm
     from jsonb_to_recordset(?::jsonb) as r(id uuid, a text, b text, c text, d text, for_sale boolean, facts jsonb, kind text, weight_class smallint,
       superwash boolean, metres double precision, fibres text[], colours text[], needle_mm double precision[], hook_mm double precision[])
     where p.id = r.id`,
    [JSON.stringify(rows)],
  )
  // In one order for all, so that two who save at once cannot wait for each other.
  if (words.size > 0) {
    await em.execute(
      `insert into search_words (word) select word from jsonb_array_elements_text(?::jsonb) as w(word)
       where not exists (select 1 from search_words known where known.word = w.word) and ts_lexize('english_stem', word) is distinct from '{}' order by word on conflict do nothing`,
      [JSON.stringify([...words].toSorted())],
    )
  }
}

/** Colours seen in a picture that was replaced no longer count. */
const seenIn = ({ image, pictureColours }: Row) => (pictureColours?.image === image ? pictureColours : null)

/** Indexes what was not, or in an older way: after an upgrade or out of an older backup. Returns how many there were. */
export async function indexMissing(em: EntityManager): Promise<number> {
  let done = 0
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await em.execute<{ id: string }[]>(
      `select id from products where id > ? and (search_format is null or search_format < ${FORMAT}) order by id limit ${BATCH}`,
      [last],
    )
    if (rows.length === 0) return done
    await em.fork().transactional(tx =>
      indexProducts(
        tx,
        rows.map(({ id }) => id),
      ),
    )
    last = lastOf(rows).id
    done += rows.length
  }
}
