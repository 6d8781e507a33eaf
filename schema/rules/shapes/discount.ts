import { z } from 'zod'
import { normalCode } from '../discount.ts'
import { limits } from '../limits.ts'
import { ownerLimits } from '../owner-limits.ts'
import { readAmount } from '../money.ts'
import { readUnits } from '../stock.ts'
import { requiredText, text } from './text.ts'
import { separated, typed, typedOrBlank } from './typed.ts'

const cents = (label: string) =>
  z.number().int().min(0, `${label} cannot be negative.`).max(limits.orderTotal, `${label} is too high.`)
const count = (label: string) =>
  z
    .number()
    .int()
    .min(1, `${label} must be at least 1.`)
    .max(limits.stock, `${label} can be at most ${limits.stock.toLocaleString('en-US')}.`)

const code = z
  .string()
  .transform(normalCode)
  .pipe(
    requiredText('Code', ownerLimits.code.max)
      .min(ownerLimits.code.min, `A code has at least ${ownerLimits.code.min} characters.`)
      .regex(/^[A-Z0-9][A-Z0-9-]*$/, 'A code has letters, digits and hyphens, and begins with none of the last.'),
  )
/** What a shopper types as a code. Whether there is such a code is another question. */
export const enteredCode = text('Code', ownerLimits.code.typed).transform(normalCode)

const kind = z.enum(['PERCENT', 'AMOUNT', 'FREE_SHIPPING'])
const basisPoints = z
  .number()
  .int()
  .min(1, 'A share must be more than 0%.')
  .max(10_000, 'A share must be at most 100%.')
const amount = cents('Amount').min(1, 'An amount must be at least a cent.')
const minimum = cents('Minimum')
const productIds = z
  .array(z.guid('There is no such product.'))
  .max(ownerLimits.codeProducts, `At most ${ownerLimits.codeProducts} products.`)
const categories = z
  .array(requiredText('Category', limits.productText))
  .max(ownerLimits.codeCategories, `At most ${ownerLimits.codeCategories} categories.`)
const maxUses = count('Uses in all')
const maxUsesPerPerson = count('Uses per person')

const orNull = <Value>(rule: z.ZodType<Value, Value>) => rule.nullish().transform(value => value ?? null)

/** What can be changed once there is a code. */
export const codeTerms = {
  startsAt: orNull(z.date()),
  endsAt: orNull(z.date()),
  maxUses: orNull(maxUses),
  maxUsesPerPerson: orNull(maxUsesPerPerson),
}

interface Dates {
  startsAt?: Date | null | undefined
  endsAt?: Date | null | undefined
}

export const inOrder = ({ startsAt, endsAt }: Dates) => !startsAt || !endsAt || startsAt < endsAt
export const OUT_OF_ORDER = 'The code must end after it begins.'

interface Terms extends Dates {
  code: string
  isSeries: boolean
  kind: z.output<typeof kind>
  basisPoints?: number | null | undefined
  amount?: number | null | undefined
}

/** What a field allows only beside the others. */
function fits({ code, isSeries, kind, basisPoints, amount, ...dates }: Terms, { addIssue }: z.RefinementCtx) {
  const wrong = (field: string, message: string) => addIssue({ code: 'custom', path: [field], message })
  if (isSeries && code.length > ownerLimits.code.series)
    wrong('code', `A series begins with at most ${ownerLimits.code.series} characters.`)
  if ((kind === 'PERCENT') !== (basisPoints != null))
    wrong(
      'basisPoints',
      kind === 'PERCENT' ? 'Please say how much is taken off.' : 'A share can be given only with PERCENT.',
    )
  if ((kind === 'AMOUNT') !== (amount != null))
    wrong(
      'amount',
      kind === 'AMOUNT' ? 'Please say how much is taken off.' : 'An amount can be given only with AMOUNT.',
    )
  if (!inOrder(dates)) wrong('endsAt', OUT_OF_ORDER)
}

/** A new discount code. */
export const newCode = z
  .object({
    code,
    isSeries: z.boolean().default(false),
    kind,
    basisPoints: basisPoints.nullish(),
    amount: amount.nullish(),
    minimum: minimum.default(0),
    productIds: productIds.default([]),
    categories: categories.default([]),
    ...codeTerms,
    isForFirstOrder: z.boolean().default(false),
  })
  .superRefine(fits)

/** Hundredths of a percent, or cents of a dollar: either has two decimals. */
const share = typedOrBlank(text => readAmount(text.replace('%', '')), 'Percent, such as 15.')
const money = typedOrBlank(readAmount, 'An amount, such as 12.50.')
const units = typedOrBlank(readUnits, 'A whole number, or nothing.')

/** The first moment of a day, or of the day after it, where the person is who types it. */
const day = (after: 0 | 1) =>
  z.string().transform(text => {
    const [year, month, date] = text.split('-').map(Number)
    return year && month && date ? new Date(year, month - 1, date + after) : null
  })

/** A form that makes one: shares in percent, money in decimals, days as the browser writes them. */
export const typedCode = z
  .object({
    code,
    isSeries: z.boolean(),
    kind,
    basisPoints: share.pipe(basisPoints.nullable()),
    amount: money.pipe(amount.nullable()),
    minimum: money.transform(cents => cents ?? 0).pipe(minimum),
    categories: separated.pipe(categories),
    startsAt: day(0),
    endsAt: day(1),
    maxUses: units.pipe(maxUses.nullable()),
    maxUsesPerPerson: units.pipe(maxUsesPerPerson.nullable()),
    isForFirstOrder: z.boolean(),
  })
  .superRefine(fits)

/** How many codes of a series are made at a time. */
export const seriesCodes = z.object({
  count: z
    .number()
    .int()
    .min(1, 'At least 1.')
    .max(ownerLimits.seriesCodes, `At most ${ownerLimits.seriesCodes} at a time.`),
})

/** A form that makes them. */
export const typedSeriesCodes = z.object({
  count: typed(readUnits, 'A whole number, such as 10.').pipe(seriesCodes.shape.count),
})
