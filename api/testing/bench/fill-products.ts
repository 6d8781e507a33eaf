import { randomInt } from 'node:crypto'
import { connect } from '../../db/config.ts'

const BATCH = 50_000
/** So many made-up words, one in each product: 200 products of a million share one. */
export const LOTS = 5_000
/** So many other words, each in some eight products, whether there are thousands of them or millions. */
const RARE_WORDS = 125
const HAVE_RARE_WORDS = 1_000

/** One of the words that so many products were given when there were so many. */
export const rareWord = (count: number): string => `rare${count}n${randomInt(RARE_WORDS)}`

const COPIED = `image, description, weight, length, gauge, knitting_needle, crochet_hook, recommended_care, content, category,
  published_at, search_format, kind, weight_class, fibres, needle_mm, hook_mm, superwash, facts, picture_colours`

/** Neither the copies nor what `makeProducts` makes for buyers, which nobody could find by words or facts. */
const SAMPLE = `sku not like 'LOT%' and image <> '/images/yarn.webp'`

/** Adds copies of the sample with other prices, colours, stock, ratings and dates, until there are so many products. */
export async function stockUp(url: string, count: number): Promise<void> {
  // Uses its own connections: the shop's give up on whatever takes longer than a few seconds.
  const own = await connect(url)
  const em = own.em.fork()
  await em.execute(`set statement_timeout = 0; set maintenance_work_mem = '1GB'; set synchronous_commit = off`)
  const [{ there, sample }] = (await em.execute(
    `select count(*)::int as there, (select count(*)::int from products where ${SAMPLE}) as sample from products`,
  )) as [{ there: number; sample: number }]
  await em.execute(
    `insert into search_words (word) select 'lot' || n from generate_series(0, ${LOTS - 1}) n
     union all select 'rare${count}n' || n from generate_series(0, ${RARE_WORDS - 1}) n on conflict do nothing`,
  )
  const step = Math.ceil(count / HAVE_RARE_WORDS)
  // The indexes are built again together at the end, which is much faster.
  const indexes = await em.execute<{ name: string; definition: string }[]>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename in ('products', 'product_documents') and indexname not in (select conname from pg_constraint)`,
  )
  for (const { name } of indexes) await em.execute(`drop index ${name}`)
  for (let from = there; from < count; from += BATCH) {
    const most = Math.min(BATCH, count - from)
    await em.execute(
      `insert into products (id, sku, name, price, count_in_stock, num_reviews, rating_sum, created_at, updated_at, sold_last_90_days, metres, colours, search_document, ${COPIED})
       select gen_random_uuid(), 'LOT' || n, name || ' ' || n, 100 + (random() * 6000)::int, greatest(0, (random() * 60)::int - 3),
         reviews, (reviews * (3 + random() * 2))::int, now() - n * interval '1 second', now() - random() * interval '30 days', (random() ^ 8 * 500)::int,
         metres * (0.8 + random() * 0.4), case when random() < 0.5 then colours else array[(array['RED','BLUE','GREEN','TEAL','GREY','PINK'])[1 + (random() * 5)::int]] end,
         search_document || setweight(to_tsvector('english', 'lot' || n % ${LOTS} || case when n % ${step} = 0 then ' rare${count}n' || n / ${step} % ${RARE_WORDS} else '' end), 'A'), ${COPIED}
       from (select row_number() over (order by id) as row, p.* from products p where ${SAMPLE}) p
       join generate_series(?::int, ?::int) n on n % ${sample} + 1 = p.row, lateral (select (random() * 40)::int + n * 0 as reviews) r`,
      [from, from + most - 1],
    )
  }
  for (const { definition } of indexes) await em.execute(definition)
  await em.execute('vacuum analyze products, product_documents')
  await em.execute('analyze')
  await own.close()
}
