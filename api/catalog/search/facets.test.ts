import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COLOUR_FAMILIES, FIBRES, KINDS, WEIGHT_CLASSES } from '#schema/rules/facts/shelf-names'
import {
  METRES_STEPS,
  PRICE_PER_100_M_STEPS,
  PRICE_STEPS,
  RATING_STEPS,
  stepText,
} from '#schema/rules/facts/facet-steps'
import type { ProductFacetField, ProductFilter } from '../../generated/types.ts'
import type { Condition } from '../../query/paging.ts'
import { ask } from '../../testing/admin.ts'
import { openShop, type TestShop } from '../../testing/shop.ts'
import { seed } from '../../db/seed/seed.ts'
import { FacetIndex } from './facet-index.ts'
import { FIELDS_OF } from './facet-row.ts'
import { filterConditions } from './product-filter.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
  await seed(shop.em())
})
afterAll(() => shop?.close())

const LIST = `query($keyword: String, $filter: ProductFilter) {
  products(keyword: $keyword, filter: $filter) { total facets { field values { value count countIsExact selected } } }
}`
const TOTAL =
  'query($keyword: String, $filter: ProductFilter) { products(keyword: $keyword, filter: $filter) { total } }'

const range = (name: string) => (value: string) => {
  const [from, to] = value.split('-') as [string, string]
  return { [`${name}From`]: Number(from), ...(to && { [`${name}To`]: Number(to) }) }
}
const PRESSED: Record<ProductFacetField, (value: string) => object> = {
  KIND: value => ({ kind: [value] }),
  WEIGHT_CLASS: value => ({ weightClass: [value] }),
  FIBRE: value => ({ fibre: [value] }),
  COLOUR: value => ({ colour: [value] }),
  NEEDLE_MM: value => ({ needleMm: [Number(value)] }),
  HOOK_MM: value => ({ hookMm: [Number(value)] }),
  METRES: range('metres'),
  PRICE: range('price'),
  PRICE_PER_100_M: range('pricePer100m'),
  SUPERWASH: value => ({ superwash: value === 'true' }),
  IN_STOCK: value => ({ inStock: value === 'true' }),
  RATING: value => ({ ratingFrom: Number(value) }),
}

describe('facets', () => {
  it.each<[string, object]>([
    ['the catalogue', {}],
    ['a shelf', { filter: { kind: ['YARN'] } }],
    ['a search', { keyword: 'merino', filter: { weightClass: ['DK', 'WORSTED'] } }],
  ])('of %s count what pressing each value gives', async (_list, variables: { filter?: object }) => {
    const { products } = await ask(shop, null, LIST, variables)
    expect(products.total).toBeGreaterThan(3)
    for (const { field, values } of products.facets) {
      const others = { ...variables.filter } as Record<string, unknown>
      for (const own of FIELDS_OF[field]) delete others[own]
      const totals = await Promise.all(
        values.map(({ value }) =>
          ask(shop, null, TOTAL, { ...variables, filter: { ...others, ...PRESSED[field](value) } }),
        ),
      )
      expect(values.map(({ value, count }) => [field, value, count])).toEqual(
        values.map(({ value }, place) => [field, value, nth(totals, place).products.total]),
      )
      expect(values.every(({ countIsExact }) => countIsExact)).toBe(true)
    }
  })

  it.each<[type: string, inRules: readonly string[]]>([
    ['ColourFamily', COLOUR_FAMILIES],
    ['WeightClass', WEIGHT_CLASSES],
    ['Fibre', FIBRES],
    ['ProductKind', KINDS],
  ])('name each %s as the rules and the contract do', async (name, inRules) => {
    const { __type } = (await ask(
      shop,
      null,
      'query ($name: String!) { __type(name: $name) { enumValues { name } } }',
      { name },
    )) as { __type: { enumValues: { name: string }[] } }
    expect(__type.enumValues.map(each => each.name).toSorted()).toEqual(inRules.toSorted())
  })

  it('keep a chosen value that leaves nothing, and no other', async () => {
    const { products } = await ask(shop, null, LIST, { filter: { kind: ['HOOK'], fibre: ['QIVIUT'] } })
    expect(products.total).toBe(0)
    const fibres = present(products.facets.find(({ field }) => field === 'FIBRE')).values
    expect(fibres).toEqual([{ value: 'QIVIUT', count: 0, countIsExact: true, selected: true }])
  })

  it('are none of a search that cannot match, and refuse lists without end', async () => {
    expect((await ask(shop, null, LIST, { keyword: '!' })).products.facets).toEqual([])
    const { errors } = await shop.gql(TOTAL, { filter: { needleMm: Array.from({ length: 51 }, (_, size) => size) } })
    expect(nth(present(errors), 0).extensions.code).toBe('BAD_USER_INPUT')
  })
})

/** The same counts by SQL alone. */
const BY_SQL: Record<ProductFacetField, string> = {
  KIND: 'select kind',
  WEIGHT_CLASS: `select (array[${WEIGHT_CLASSES.map(name => `'${name}'`).join(', ')}])[weight_class + 1]`,
  FIBRE: 'select unnest(fibres)',
  COLOUR: 'select unnest(colours)',
  NEEDLE_MM: 'select unnest(needle_mm)::text',
  HOOK_MM: 'select unnest(hook_mm)::text',
  METRES: stepOf('metres', METRES_STEPS),
  PRICE: stepOf('price', PRICE_STEPS),
  PRICE_PER_100_M: stepOf('price_per_100_m', PRICE_PER_100_M_STEPS),
  SUPERWASH: 'select superwash::text',
  IN_STOCK: 'select (count_in_stock > 0)::text',
  RATING: [...RATING_STEPS, 5]
    .map(step => `select '${step}' where num_reviews > 0 and rating_sum::numeric / num_reviews >= ${step}`)
    .join(' union all '),
}

function stepOf(sql: string, steps: typeof PRICE_STEPS): string {
  const cases = steps.map(
    step =>
      `when floor(${sql} + 0.5) >= ${step.from}${step.to === null ? '' : ` and floor(${sql} + 0.5) <= ${step.to}`} then '${stepText(step)}'`,
  )
  return `select case ${cases.join(' ')} end`
}

describe('counting in memory', () => {
  const some = <T>(values: readonly T[], most: number) => fc.subarray([...values], { minLength: 0, maxLength: most })
  const columns = {
    KIND: { kind: fc.option(fc.constantFrom(...KINDS)) },
    WEIGHT_CLASS: { weight_class: fc.option(fc.nat(7)) },
    FIBRE: { fibres: some(FIBRES.slice(0, 5), 3) },
    COLOUR: { colours: some(COLOUR_FAMILIES.slice(0, 4), 2) },
    NEEDLE_MM: { needle_mm: some([3.5, 4, 4.5], 2) },
    HOOK_MM: { hook_mm: some([4, 5], 1) },
    METRES: { metres: fc.option(fc.constantFrom(99.4, 99.5, 100, 199.49, 399.6, 1_000)) },
    PRICE: { price: fc.constantFrom(0, 499, 500, 999, 1_000, 4_999, 5_000) },
    // The database computes it from the metres and the price.
    PRICE_PER_100_M: {},
    SUPERWASH: { superwash: fc.option(fc.boolean()) },
    IN_STOCK: { count_in_stock: fc.constantFrom(0, 0, 1, 50) },
    // It is made of two columns that have to fit each other.
    RATING: {},
  } satisfies Record<ProductFacetField, Record<string, fc.Arbitrary<unknown>>>
  const product = fc.record({
    facets: fc.record(Object.assign({}, ...Object.values(columns)) as Record<string, fc.Arbitrary<unknown>>),
    num_reviews: fc.constantFrom(0, 2, 3),
    on_sale: fc.boolean(),
  })
  const fields = {
    kind: some(KINDS, 2).filter(list => list.length > 0),
    weightClass: some(WEIGHT_CLASSES, 3).filter(list => list.length > 0),
    fibre: some(FIBRES.slice(0, 5), 2).filter(list => list.length > 0),
    colour: some(COLOUR_FAMILIES.slice(0, 4), 2).filter(list => list.length > 0),
    needleMm: some([3.5, 4, 4.5], 2).filter(list => list.length > 0),
    hookMm: some([4, 5], 2).filter(list => list.length > 0),
    metresFrom: fc.constantFrom(0, 100, 200),
    metresTo: fc.constantFrom(99, 199, 399),
    priceFrom: fc.constantFrom(0, 500, 700),
    priceTo: fc.constantFrom(999, 5_000),
    pricePer100mFrom: fc.constantFrom(0, 250),
    pricePer100mTo: fc.constantFrom(249, 999),
    superwash: fc.boolean(),
    inStock: fc.boolean(),
    ratingFrom: fc.constantFrom(1, 3, 5),
    category: fc.constantFrom(null, null, 'Fingering', 'No such'),
  } satisfies Record<(typeof FIELDS_OF)[ProductFacetField][number] | 'category', fc.Arbitrary<unknown>>
  const filter: fc.Arbitrary<ProductFilter> = fc.record(fields, { requiredKeys: [] })

  it('agrees with SQL on random catalogues, through whatever changes, in every process', async () => {
    const em = shop.em()
    const indexes = [new FacetIndex(), new FacetIndex()]
    const ids = (
      await em.execute<{ id: string }[]>(
        'select id from products where id not in (select product_id from product_lots) order by id',
      )
    ).map(({ id }) => id)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat(ids.length - 1), product }), { minLength: 1, maxLength: 25 }),
        filter,
        fc.option(
          fc.record({
            terms: fc.uniqueArray(fc.constantFrom('merino', 'yarn', 'in', 'wool | cotton', 'dk'), { minLength: 1 }),
            more: fc.nat(4),
          }),
        ),
        async (changes, filter, words) => {
          for (const { at, product } of changes) {
            const { facets, num_reviews, on_sale } = product
            const columns = { ...facets, num_reviews, rating_sum: Math.round(num_reviews * 3.4) }
            const names = Object.keys(columns)
            await em.execute(
              `update products set (${names.join(', ')}) = (select ${names.join(', ')} from jsonb_populate_record(null::products, ?::jsonb)),
                 published_at = case when ? then coalesce(published_at, now()) end where id = ?`,
              [JSON.stringify(columns), on_sale, ids[at]],
            )
          }
          const wanted = words && { terms: words.terms, most: 1 + (words.more % words.terms.length) }
          const found: Condition | null = wanted && [
            `${wanted.terms.map(() => `(search_document @@ to_tsquery('english', ?))::int`).join(' + ')} >= ?`,
            ...wanted.terms,
            wanted.most,
          ]
          const all: Condition[] = [...(found ? [found] : []), ...filterConditions(filter)]
          const rated = await em.execute<{ place: number }[]>(
            `select place from products where published_at is not null and archived_at is null
             ${all.map(([sql]) => `and ${sql}`).join(' ')} order by score desc, place desc`,
            all.flatMap(([, ...values]) => values),
          )
          for (const index of indexes) {
            await index.hear(em)
            const holding = await index.holding(em, wanted, filter)
            const best = (limit: number) => holding.part('RATING', { descending: true, offset: 0, limit })
            expect([holding.total, best(5), best(1_000)]).toEqual([
              rated.length,
              rated.slice(0, 5).map(({ place }) => place),
              rated.map(({ place }) => place),
            ])
            const counts = await index.count(em, wanted, filter)
            for (const [field, sql] of Object.entries(BY_SQL) as [ProductFacetField, string][]) {
              const others = { ...filter }
              for (const own of FIELDS_OF[field]) delete others[own]
              const conditions: Condition[] = [...(found ? [found] : []), ...filterConditions(others)]
              const rows = await em.execute<{ value: string; count: number }[]>(
                `select value, count(*)::int as count from products, lateral (${sql}) v(value)
                 where published_at is not null and archived_at is null and value is not null
                 ${conditions.map(([sql]) => `and ${sql}`).join(' ')} group by value`,
                conditions.flatMap(([, ...values]) => values),
              )
              const counted = [...present(counts.get(field))].filter(([, count]) => count > 0)
              expect([field, Object.fromEntries(counted)]).toEqual([
                field,
                Object.fromEntries(rows.map(({ value, count }) => [value, count])),
              ])
            }
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  it('sees what a transaction changed that began before the last count and ended after it', async () => {
    const [em, other] = [shop.em(), shop.em()]
    const index = new FacetIndex()
    const [{ id }] = (await em.execute(
      'select id from products where published_at is not null and count_in_stock > 0 and id not in (select product_id from product_lots) limit 1',
    )) as [{ id: string }]
    const soldOut = async () => {
      await index.hear(em)
      return present((await index.count(em, null, {})).get('IN_STOCK')).get('false') ?? 0
    }
    const before = await soldOut()
    await other.begin()
    await other.execute('update products set count_in_stock = 0 where id = ?', [id])
    // Later transactions change other products.
    await em.execute(`update products set price = price + 1 where id <> ?`, [id])
    expect(await soldOut()).toBe(before)
    await other.commit()
    expect(await soldOut()).toBe(before + 1)
  })
})
