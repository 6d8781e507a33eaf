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
  z.string().refine(isDay, { abort: true, message: `${label} is no day such as 2026-12-24.` })
const asked = z
  .object({ from: day('From'), to: day('To') })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'The last day is not before the first one.' })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MOST_DAYS * DAY_MS, {
    path: ['from'],
    message: `A report is of at most ${MOST_DAYS} days.`,
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
  const rows = folded(await readParts(em, { from, to, timeZone }))
  const inOrder = rows
    .toSorted((a, b) => b.figures.sales - a.figures.sales)
    .slice(0, MOST_ROWS)
    .toSorted((a, b) => Number(b.country === country) - Number(a.country === country) || byPlace(a, b))
  return {
    from,
    to,
    rows: inOrder,
    totals: rows.map(({ figures }) => figures).reduce(sum, NOTHING),
    csv: csvOf(inOrder),
  }
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
function folded(parts: readonly (Place & TaxFigures)[]): Row[] {
  const rows = new Map<string, Row>()
  for (const { country: written, state: typed, basisPoints, ...figures } of parts) {
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
 * By places as they were written. Of a refund as much is tax as of the whole order. Each takes from what those before
 * it left, so that all of them together are exactly the tax there was.
 */
function readParts(em: EntityManager, { from, to, timeZone }: Omit<Options, 'country'>) {
  return em.execute<(Place & TaxFigures)[]>(
    `with asked as (
       select ?::date::timestamp at time zone ? as start, (?::date + 1)::timestamp at time zone ? as "end"
     ), parts as (
       select o.id as order_id, 1 as orders, total - tax as sales,
         shipping_price - coalesce(round(shipping_price::numeric * included_tax / nullif(total, 0)), 0) as shipping, tax,
         0 as refunds, 0 as refunded_tax
       from asked, orders o, lateral (select total_price - gift_cards_sold as total, tax_price + included_tax as tax) paid
       where paid_at >= start and paid_at < "end"
       union all
       select o.id, 0, 0, 0, 0, goods - refunded_tax, refunded_tax
       from asked, refunds r join orders o on o.id = r.order_id,
         lateral (select coalesce(sum(amount), 0) as before from refunds e
           where e.order_id = o.id and e.state <> 'FAILED' and (e.created_at, e.id) < (r.created_at, r.id)) earlier,
         lateral (select
           round((before + amount)::numeric * (total_price - gift_cards_sold) / total_price)
             - round(before::numeric * (total_price - gift_cards_sold) / total_price) as goods,
           round((before + amount)::numeric * (tax_price + included_tax) / total_price)
             - round(before::numeric * (tax_price + included_tax) / total_price) as refunded_tax) part
       where r.state <> 'FAILED' and r.created_at >= start and r.created_at < "end"
     )
     select shipping_address ->> 'country' as country, shipping_address ->> 'state' as state, tax_basis_points as "basisPoints",
       sum(parts.orders)::int as orders, sum(sales)::float8 as sales, sum(shipping)::float8 as shipping, sum(tax)::float8 as tax,
       sum(refunds)::float8 as refunds, sum(refunded_tax)::float8 as "refundedTax"
     from parts join orders on orders.id = order_id group by 1, 2, 3`,
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
