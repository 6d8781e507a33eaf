import type { EntityManager } from '@mikro-orm/postgresql'
import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import { COUNTRIES, countryNamed } from '#schema/rules/countries'
import { isDay } from '#schema/rules/day'
import { toDecimal } from '#schema/rules/money'
import { nameOfState, stateNamed } from '#schema/rules/states'
import type { TaxFigures } from '../generated/types.ts'
import { check } from '../kernel/validation.ts'

/** A day of more than a year is a mistake, and would add up every order there is. */
const MOST_DAYS = 366
const MOST_ROWS = 1_000
const DAY_MS = 86_400_000

const day = (label: string) =>
  z.string().refine(isDay, { abort: true, message: `${label} must be a day such as 2026-12-24.` })
const asked = z
  .object({ from: day('From'), to: day('To') })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'The last day must not be before the first.' })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MOST_DAYS * DAY_MS, {
    path: ['from'],
    message: `A report covers at most ${MOST_DAYS} days.`,
  })

interface Place {
  /** Spelled as in `COUNTRIES`. */
  country: string
  /** Its code, where the country is one of `STATES`. */
  state: string | null
  basisPoints: number | null
}
type Row = Place & { stateName: string | null; figures: TaxFigures }

interface Options {
  from: string
  to: string
  timeZone: string
  /** The shop's own country, spelled as in `COUNTRIES`. */
  country: string
}

/** What tax was paid in these days, and went back. */
export async function taxReport(em: EntityManager, { from, to, timeZone, country }: Options) {
  check(asked, { from, to })
  const parts = await readParts(em, { from, to, timeZone })
  const rows = folded(parts)
  const inOrder = rows
    .toSorted((a, b) => b.figures.sales - a.figures.sales)
    .slice(0, MOST_ROWS)
    .toSorted((a, b) => Number(b.country === country) - Number(a.country === country) || byPlace(a, b))
  // An order that is taxed at two rates is in two rows.
  const orders = parts.reduce((sum, { counted }) => sum + counted, 0)
  const totals = { ...rows.map(({ figures }) => figures).reduce(sum, NOTHING), orders }
  return { from, to, rows: inOrder, totals, csv: csvOf(inOrder) }
}

const NOTHING: TaxFigures = { orders: 0, sales: 0, shipping: 0, tax: 0, refunds: 0, refundedTax: 0 }

const sum = (a: TaxFigures, b: TaxFigures): TaxFigures => ({
  orders: a.orders + b.orders,
  sales: a.sales + b.sales,
  shipping: a.shipping + b.shipping,
  tax: a.tax + b.tax,
  refunds: a.refunds + b.refunds,
  refundedTax: a.refundedTax + b.refundedTax,
})

const byPlace = (a: Row, b: Row) =>
  a.country.localeCompare(b.country, 'en') ||
  (a.stateName ?? '').localeCompare(b.stateName ?? '', 'en') ||
  (b.basisPoints ?? 0) - (a.basisPoints ?? 0)

/** Rows of one place, however its buyers wrote it, as one. */
function folded(parts: readonly (Place & TaxFigures & { counted: number })[]): Row[] {
  const rows = new Map<string, Row>()
  for (const { country: written, state: typed, basisPoints, counted: _, ...figures } of parts) {
    const country = countryNamed(written)
    const state = stateNamed(country, typed ?? '') ?? null
    const key = JSON.stringify([country, state, basisPoints])
    rows.set(key, {
      country,
      state,
      stateName: (state && nameOfState(country, state)) ?? null,
      basisPoints,
      figures: sum(rows.get(key)?.figures ?? NOTHING, figures),
    })
  }
  return [...rows.values()]
}

/**
 * What of an order `o` is taxed at one rate: `gross` with its tax, and of it shipping as it was charged. Of an order that is taxed
 * less as a whole the untaxed shipping is, too.
 */
const PARTS = `
  lateral (
    select coalesce(sum(price * quantity - i.discount), 0) as items from order_items i
    where o.reduced_tax_basis_points is not null and order_id = o.id and reduced_tax and not is_gift_card
  ) less,
  lateral (
    select total_price - gift_cards_sold as total, tax_price + included_tax as whole_tax,
      reduced_taxed + case when included_tax = 0 then reduced_tax else 0 end as less_gross,
      greatest(0, reduced_taxed - items) as less_shipping,
      reduced_tax_basis_points is not null and items = items_price - gift_cards_sold - o.discount as is_less
  ) whole,
  lateral (
    select 1 as place, tax_basis_points as rate, total - less_gross as gross, whole_tax - reduced_tax as tax, shipping_price - less_shipping as shipping
    where not is_less
    union all
    select 2, reduced_tax_basis_points, less_gross, reduced_tax, less_shipping where reduced_tax_basis_points is not null and not is_less
    union all
    select 1, reduced_tax_basis_points, total, whole_tax, shipping_price where is_less
  ) part`

/** What of all that was paid for an order was paid with the first `amount` of it; the parts of all amounts add up to it. */
const shareOf = (what: string) =>
  `round((before + amount)::numeric * ${what} / (total_price - unpaid_amount)) - round(before::numeric * ${what} / (total_price - unpaid_amount))`

/** By places as they were written. Of a refund as much is tax as of the whole order. */
function readParts(em: EntityManager, { from, to, timeZone }: Omit<Options, 'country'>) {
  return em.execute<(Place & TaxFigures & { counted: number })[]>(
    `with asked as (
       select ?::date::timestamp at time zone ? as start, (?::date + 1)::timestamp at time zone ? as "end"
     ), parts as (
       select shipping_address as address, rate, 1 as orders, case when place = 1 then 1 else 0 end as counted, gross - tax as sales, tax,
         shipping - coalesce(round(case when included_tax > 0 then shipping::numeric * tax / nullif(gross, 0) end), 0) as shipping,
         0 as refunds, 0 as refunded_tax
       from orders o, ${PARTS}
       where paid_at >= (select start from asked) and paid_at < (select "end" from asked) and total > 0
       union all
       select shipping_address, rate, 0, 0, 0, 0, 0, back.gross - back.tax, back.tax
       from refunds r join orders o on o.id = r.order_id, ${PARTS},
         lateral (select coalesce(sum(amount), 0) as before from refunds e
           where e.order_id = o.id and e.state <> 'FAILED' and (e.created_at, e.id) < (r.created_at, r.id)) earlier,
         lateral (select ${shareOf('part.gross')} as gross, ${shareOf('part.tax')} as tax) back
       where r.state <> 'FAILED' and r.created_at >= (select start from asked) and r.created_at < (select "end" from asked)
     )
     select address ->> 'country' as country, address ->> 'state' as state, rate as "basisPoints",
       sum(orders)::int as orders, sum(counted)::int as counted, sum(sales)::float8 as sales, sum(shipping)::float8 as shipping,
       sum(tax)::float8 as tax, sum(refunds)::float8 as refunds, sum(refunded_tax)::float8 as "refundedTax"
     from parts group by 1, 2, 3`,
    [from, timeZone, to, timeZone],
  )
}

const HEADERS = ['country', 'state', 'rate', 'orders', 'sales', 'shipping', 'tax', 'refunds', 'refunded_tax', 'tax_due']

const csvOf = (rows: readonly Row[]) =>
  stringify(
    [
      HEADERS,
      ...rows.map(
        ({ country, state, basisPoints, figures: { orders, sales, shipping, tax, refunds, refundedTax } }) => [
          // What a buyer wrote, which a spreadsheet could take for a formula.
          COUNTRIES.includes(country) ? country : `'${country}`,
          state ?? '',
          // In percent: 6.625.
          basisPoints === null ? '' : String(Math.round(basisPoints * 10) / 1_000),
          String(orders),
          ...[sales, shipping, tax, refunds, refundedTax, tax - refundedTax].map(toDecimal),
        ],
      ),
    ],
    { bom: true, record_delimiter: 'windows' },
  )
