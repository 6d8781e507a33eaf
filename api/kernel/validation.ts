import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { requiredText } from '#schema/rules/shapes/text'
import { isTimeZone } from '#schema/rules/time-zone'
import { Refusal } from './errors.ts'

export { email, requiredText, text } from '#schema/rules/shapes/text'

/** What was given, without a field that the rules do not know: one of the contract nobody wrote a rule for does not compile. */
type Known<Given, Shape> = Given extends object
  ? { [F in keyof Given]: F extends keyof NonNullable<Shape> ? Known<Given[F], NonNullable<Shape>[F]> : never }
  : Given

/** The input as the rules want it, or all that they say against it. */
export const judge = <Output, Shape, Given extends Shape>(
  schema: z.ZodType<Output, Shape>,
  input: Given & Known<Given, Shape>,
): z.ZodSafeParseResult<Output> => schema.safeParse(input)

/** The input as the rules want it, or a refusal that names every field that is wrong. */
export function check<Output, Shape, Given extends Shape>(
  schema: z.ZodType<Output, Shape>,
  input: Given & Known<Given, Shape>,
): Output {
  const result = judge<Output, Shape, Given>(schema, input)
  if (result.success) return result.data
  throw new Refusal(
    result.error.issues.map(issue => ({ code: 'INVALID', message: issue.message, field: issue.path.map(String) })),
  )
}

/** Under which a client may send the same again. */
export const idempotencyKey = requiredText('Idempotency key', limits.idempotencyKey)

/** The same where there may be none: null. */
export const keyOrNull = idempotencyKey.nullish().transform(key => key ?? null)

/** An id as the database writes it, however it is written. */
export const idInLowerCase = z.string().transform(id => id.toLowerCase())

/** What a browser says of its clock. One from a newer list than ours is no reason to refuse anything. */
export const knownTimeZone = z
  .string()
  .nullish()
  .transform(name => (name && isTimeZone(name) ? name : null))

type NullAsLeftOut<Input> = { [F in keyof Input]: undefined extends Input[F] ? Input[F] | null : Input[F] }

/** Null counts as left out where a field may be left out and its rule has no meaning for null. */
export function nullAsLeftOut<Rules extends z.ZodObject>(
  rules: Rules,
): z.ZodType<z.output<Rules>, NullAsLeftOut<z.input<Rules>>> {
  const dropped = Object.entries(rules.shape)
    .filter(([, rule]) => accepts(rule, undefined) && !accepts(rule, null))
    .map(([field]) => field)
  const given = (input: unknown) =>
    Object.fromEntries(
      Object.entries(input ?? {}).filter(([field, value]) => value !== null || !dropped.includes(field)),
    )
  return z.preprocess(given, rules) as z.ZodType<z.output<Rules>, NullAsLeftOut<z.input<Rules>>>
}

const accepts = (rule: z.core.$ZodType, value: unknown) => z.safeParse(rule, value).success

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether an id can name anything at all; PostgreSQL would fail on other text. */
export const isId = (id: string) => id.length === 36 && UUID.test(id)
