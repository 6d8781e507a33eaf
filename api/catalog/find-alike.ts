import type { EntityManager } from '@mikro-orm/postgresql'
import { limits } from '#schema/rules/limits'
import { sizesIn, type ProductFacts } from '#schema/rules/facts/product-facts'
import { WEIGHT_CLASSES } from '#schema/rules/facts/shelf-names'
import type { Range } from '#schema/rules/facts/spelling'
import { distance, inPlaceOf, lineOf, shortLineOf } from '#schema/rules/substitutes'
import { nth, present } from '#schema/rules/present'
import { usualWeights } from '#schema/rules/skeins'
import { batched, select, type Load } from '../query/batch.ts'
import { ON_SALE, productsById } from './list-products.ts'
import type { Product } from './product.entity.ts'

/** A yarn in place of another. */
export interface Substitute {
  product: Product
  skeins: number
  price: number
  costsMore: number
  isInStock: boolean
}

export const MOST_SUBSTITUTES = 8

/** So many thinner ones and so many thicker ones are looked at, however many there are. */
const NEAREST = 40

interface Candidate {
  id: string
  name: string
  groupId: string | null
  price: number
  left: number
  facts: ProductFacts
}

/** The yarns in stock that are nearest in length for their weight, colourways of the same line too, the most alike first. */
async function nearest(em: EntityManager, { id, facts }: Product): Promise<Candidate[]> {
  if (facts.kind !== 'YARN' || !facts.weightClass || !facts.metres || !facts.metresPer100g) return []
  const side = (sign: '>=' | '<', direction: 'asc' | 'desc') =>
    `(select id, name, group_id as "groupId", price, count_in_stock as left, facts from products
      where weight_class = ? and metres_per_100_g ${sign} ? and kind = 'YARN' and count_in_stock > 0 and ${ON_SALE}
      order by weight_class ${direction}, metres_per_100_g ${direction}, id ${direction} limit ${NEAREST})`
  const key = [WEIGHT_CLASSES.indexOf(facts.weightClass), facts.metresPer100g]
  const rows = await select<Candidate>(em, `${side('>=', 'asc')} union all ${side('<', 'desc')}`, [...key, ...key])
  return rows
    .filter(row => row.id !== id && row.facts.metres)
    .map(row => ({ row, far: distance(facts, row.facts) }))
    .toSorted((a, b) => a.far - b.far || (a.row.id < b.row.id ? -1 : 1))
    .map(({ row }) => row)
}

const compared = (yarn: Product, other: Candidate, metres: number | null) => ({
  ...other,
  ...inPlaceOf(
    { price: yarn.price, metres: present(yarn.facts.metres) },
    { price: other.price, metres: present(other.facts.metres) },
    metres,
  ),
})

async function shown(em: EntityManager, chosen: readonly ReturnType<typeof compared>[]): Promise<Substitute[]> {
  const products = await Promise.all(chosen.map(({ id }) => batched(em, productsById, id)))
  return chosen.flatMap(({ skeins, price, costsMore, left }, place) => {
    const product = products[place]
    return product ? [{ product, skeins, price, costsMore, isInStock: skeins <= left }] : []
  })
}

/** Whether two are colourways of one yarn: of one group, or called alike. */
const isSameLine = (yarn: Pick<Product, 'name' | 'groupId'>, other: Candidate) =>
  (yarn.groupId !== null && other.groupId === yarn.groupId) || lineOf(other.name) === lineOf(yarn.name)

/** The yarns in stock closest to one, colourways of its own line left out. */
export async function substitutesOf(
  em: EntityManager,
  yarn: Product,
  first: number,
  metres: number | null,
): Promise<Substitute[]> {
  const others = (await nearest(em, yarn)).filter(other => !isSameLine(yarn, other))
  return shown(
    em,
    others
      .map(other => compared(yarn, other, metres))
      .filter(({ skeins }) => skeins <= limits.stock)
      .slice(0, first),
  )
}

/** What has enough in stock for a project: another colourway before another yarn. Null when nothing near does. */
export async function sufficientFor(em: EntityManager, yarn: Product, metres: number): Promise<Substitute | null> {
  const enough = (await nearest(em, yarn))
    .map(other => compared(yarn, other, metres))
    .filter(({ skeins, left }) => skeins <= left)
  const chosen = enough.find(other => isSameLine(yarn, other)) ?? enough[0]
  return chosen ? ((await shown(em, [chosen]))[0] ?? null) : null
}

const OF_EACH = 2

/** Of a yarn tools of its sizes, and kits and patterns that name it; of a pattern yarns of its gauge, and tools. */
export async function companionsOf(em: EntityManager, { name, description, facts }: Product): Promise<Product[]> {
  const { kind, needles, hooks, stitches } = facts
  if (kind !== 'YARN' && kind !== 'PATTERN') return []
  const found = await Promise.all([
    kind === 'PATTERN' && stitches ? batched(em, yarnIds, { stitches, text: `${name} ${description}` }) : [],
    batched(em, companionIds, {
      needles: sizesIn(needles),
      hooks: sizesIn(hooks),
      line: kind === 'YARN' ? shortLineOf(name) : null,
    }),
  ])
  const products = await Promise.all(found.flat().map(id => batched(em, productsById, id)))
  return products.filter(product => product !== null)
}

interface Wanted {
  needles: number[]
  hooks: number[]
  /** Null for what nothing is made of. */
  line: string | null
}

/** Of so many that fit, the best rated are taken. */
const LOOKED_AT = 100

const companionIds: Load<Wanted, string[]> = async (em, asked) => {
  const best = (kind: string, fits: string) =>
    `(select id, '${kind}' as kind, score from (
        select id, score from products where kind = '${kind}' and ${fits} and count_in_stock > 0 and ${ON_SALE} limit ${LOOKED_AT}
      ) fitting order by score desc, id desc limit ${OF_EACH})`
  const names = `place in (select place from product_documents where document @@ phraseto_tsquery('english', w.line))`
  const rows = await em.execute<{ place: number; id: string }[]>(
    `select w.place, c.id from jsonb_to_recordset(?::jsonb) as w(place integer, needles double precision[], hooks double precision[], line text)
     cross join lateral (
       ${best('NEEDLES', 'needle_mm && w.needles')} union all ${best('HOOK', 'hook_mm && w.hooks')}
       union all ${best('KIT', names)} union all ${best('PATTERN', names)}
     ) c
     order by w.place, array_position(array['NEEDLES', 'HOOK', 'KIT', 'PATTERN'], c.kind), c.score desc, c.id desc`,
    [JSON.stringify(asked.map((wanted, place) => ({ place, ...wanted })))],
  )
  const found: string[][] = asked.map(() => [])
  for (const { place, id } of rows) nth(found, place).push(id)
  return found
}

interface Gauge {
  stitches: Range
  /** In which yarns may be named. */
  text: string
}

/** Yarns in stock that are knitted to such a gauge: those that the text names first, then the best rated, one of each line. */
const yarnIds: Load<Gauge, string[]> = async (em, asked) => {
  const wanted = asked.map(({ stitches: { from, to } }, place) => ({
    place,
    least: from,
    most: to,
    weights: usualWeights((from + to) / 2).map(name => WEIGHT_CLASSES.indexOf(name)),
  }))
  const rows = await em.execute<{ place: number; id: string; name: string }[]>(
    `select w.place, y.id, y.name from jsonb_to_recordset(?::jsonb) as w(place integer, least double precision, most double precision, weights integer[])
     cross join lateral (
       select * from (
         select id, name, score, facts from products
         where kind = 'YARN' and weight_class = any (w.weights) and count_in_stock > 0 and ${ON_SALE} limit ${LOOKED_AT}
       ) near
       where (facts #>> '{stitches,from}')::float8 <= w.most and (facts #>> '{stitches,to}')::float8 >= w.least
     ) y
     order by w.place, y.score desc, y.id desc`,
    [JSON.stringify(wanted)],
  )
  return asked.map(({ text }, place) => {
    const isNamed = ({ name }: { name: string }) => text.includes(shortLineOf(name))
    const fitting = rows.filter(row => row.place === place)
    const lines = new Map<string, string>()
    for (const { id, name } of [...fitting.filter(isNamed), ...fitting.filter(row => !isNamed(row))])
      if (!lines.has(lineOf(name))) lines.set(lineOf(name), id)
    return [...lines.values()].slice(0, OF_EACH)
  })
}
