import { z } from 'zod'
import { WASHING } from '#schema/rules/facts/care'
import { COLOUR_FAMILIES, FIBRES, KINDS, WEIGHT_CLASSES } from '#schema/rules/facts/shelf-names'
import { CORRECTABLE, type Correctable, type FactCorrections } from '#schema/rules/facts/product-facts'

const amount = (label: string, most: number) =>
  z.number().positive(`${label} must be more than 0.`).max(most, `${label} is too much.`).nullable()

const range = (label: string, least: number, most: number) => {
  const number = z
    .number()
    .min(least, `${label} must be at least ${least}.`)
    .max(most, `${label} must be at most ${most}.`)
  return z
    .object({ from: number, to: number })
    .refine(({ from, to }) => from <= to, `${label} must begin with the smaller number.`)
}

const sizes = (label: string) =>
  z
    .array(range(label, 0.1, 40))
    .max(30, `${label}: at most 30 sizes.`)
    .nullable()
    .transform(list => list ?? [])

const fibres = z
  .array(
    z.object({
      fibre: z
        .enum(FIBRES)
        .nullish()
        .transform(fibre => fibre ?? null),
      percent: z
        .number()
        .positive('A share must be more than 0%.')
        .max(100, 'A share must be at most 100%.')
        .nullish()
        .transform(percent => percent ?? null),
    }),
  )
  .max(12, 'At most 12 fibres.')
  .refine(
    list => list.reduce((sum, { percent }) => sum + (percent ?? 0), 0) <= 101,
    'The shares of the fibres must not be more than 100% together.',
  )
  .nullable()
  .transform(list => list ?? [])

const HEX_RULE = 'A colour must be # and six hexadecimal digits, such as #a3282c.'

/** The rules of facts set by hand. Null is a fact too: that nobody knows. */
export const factCorrections = z
  .object({
    kind: z.enum(KINDS).nullable(),
    weightClass: z.enum(WEIGHT_CLASSES).nullable(),
    grams: amount('Grams', 100_000),
    metres: amount('Metres', 1_000_000),
    fibres,
    washing: z.enum(WASHING).nullable(),
    superwash: z.boolean().nullable(),
    stitches: range('Stitches', 1, 120).nullable(),
    rows: range('Rows', 1, 120).nullable(),
    needles: sizes('Needles'),
    hooks: sizes('Hooks'),
    colours: z
      .array(
        z.object({
          hex: z
            .string()
            .max(7, { error: HEX_RULE, abort: true })
            .toLowerCase()
            .regex(/^#[\da-f]{6}$/, HEX_RULE),
          family: z.enum(COLOUR_FAMILIES),
        }),
      )
      .max(3, 'At most 3 colours.')
      .nullable()
      .transform(list => list ?? []),
    colourFamilies: z
      .array(z.enum(COLOUR_FAMILIES))
      .max(COLOUR_FAMILIES.length, 'Please name each colour family once.')
      .nullable()
      .transform(list => [...new Set(list ?? [])]),
  } satisfies Record<Correctable, z.ZodType>)
  .partial()
  .transform((corrections): FactCorrections =>
    Object.fromEntries(Object.entries(corrections).filter(([, value]) => value !== undefined)),
  )

/** Each by itself, for the audit log: what was set by hand, or nothing where the fact is as read. */
export const auditedCorrections = (corrections: FactCorrections) =>
  Object.fromEntries(
    CORRECTABLE.filter(name => name in corrections).map(name => [`facts.${name}`, JSON.stringify(corrections[name])]),
  )

export const AUDITED_CORRECTIONS = CORRECTABLE.map(name => `facts.${name}`)
