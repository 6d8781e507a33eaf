import { lastOf } from '#schema/rules/present'
// What would break a client of the REST calls, or of the webhooks: two OpenAPI documents, compared.

interface Schema {
  $ref?: string
  type?: string | string[]
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  pattern?: string
  [limit: string]: unknown
}

interface Content {
  content?: Record<string, { schema?: Schema }>
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[]
  requestBody?: Content & { required?: boolean }
  responses?: Record<string, Content>
}

export interface Document {
  paths?: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

/** Who reads the value: what is sent to the shop may be accepted more freely, what it answers may be answered more strictly. */
type Side = 'taken' | 'told'

export function restBreaks(was: Document, now: Document): string[] {
  const within = comparing(was, now)
  const calls = entries(was.paths).flatMap(([path, methods]) =>
    entries(methods).flatMap(([method, before]) => {
      const name = `${method.toUpperCase()} ${path}`
      const after = now.paths?.[path]?.[method]
      return after ? callBreaks(name, before, after, within) : [`${name} was removed.`]
    }),
  )
  // The shop sends these.
  const events = entries(was.webhooks).flatMap(([event, methods]) =>
    entries(methods).flatMap(([method, before]) => {
      const after = now.webhooks?.[event]?.[method]
      return after
        ? within('told', `event ${event}`, bodyOf(before.requestBody), bodyOf(after.requestBody))
        : [`The event ${event} was removed.`]
    }),
  )
  return [...calls, ...events]
}

type Compare = (side: Side, at: string, was: Schema | undefined, now: Schema | undefined) => string[]

function callBreaks(name: string, was: Operation, now: Operation, within: Compare): string[] {
  const [before, after] = [was.parameters ?? [], now.parameters ?? []]
  const demanded = after
    .filter(
      ({ name, in: place, required }) =>
        required && !before.some(each => each.name === name && each.in === place && each.required),
    )
    .map(each => `${name} demands ${each.name}.`)
  const parameters = before.flatMap(each => {
    const same = after.find(other => other.name === each.name && other.in === each.in)
    return same
      ? within('taken', `${name} ${each.name}`, each.schema, same.schema)
      : [`${name} no longer takes ${each.name}.`]
  })
  const answers = entries(was.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, answer]) =>
      now.responses?.[status]
        ? within('told', `${name} ${status}`, bodyOf(answer), bodyOf(now.responses[status]))
        : [`${name} no longer answers ${status}.`],
    )
  return [
    ...demanded,
    ...parameters,
    ...(now.requestBody && !was.requestBody ? [`${name} demands a body.`] : []),
    ...within('taken', `${name} body`, bodyOf(was.requestBody), bodyOf(now.requestBody)),
    ...answers,
  ]
}

const bodyOf = (part: Content | undefined) => Object.values(part?.content ?? {})[0]?.schema

/** Each is a floor or a ceiling of what is taken. */
const LIMITS = [
  ['maxLength', 1],
  ['minLength', -1],
  ['maximum', 1],
  ['minimum', -1],
  ['maxItems', 1],
  ['minItems', -1],
] as const

function comparing(was: Document, now: Document): Compare {
  const resolve = (schema: Schema, document: Document): Schema =>
    schema.$ref ? resolve(document.components?.schemas?.[lastOf(schema.$ref.split('/'))] ?? {}, document) : schema

  return function compare(side, at, before, after): string[] {
    if (!before || !after) return []
    const [one, other] = [resolve(before, was), resolve(after, now)]
    const [ones, others] = [one.anyOf, other.anyOf]
    if (ones || others) {
      const [from, to] = side === 'taken' ? [ones ?? [one], others ?? [other]] : [others ?? [other], ones ?? [one]]
      const fits = (value: Schema, alternative: Schema) =>
        (side === 'taken' ? compare(side, at, value, alternative) : compare(side, at, alternative, value)).length === 0
      return from.every(value => to.some(alternative => fits(value, alternative))) ? [] : [`${at} is something else.`]
    }
    const [before_, after_] = [typesOf(one), typesOf(other)]
    const [narrow, wide] = side === 'taken' ? [before_, after_] : [after_, before_]
    if (wide.length > 0 && !narrow.every(type => wide.includes(type)))
      return [`${at} is ${after_.join(' or ') || 'anything'}, and was ${before_.join(' or ') || 'anything'}.`]
    return [
      ...(side === 'taken' ? takenBreaks(at, one, other) : []),
      ...entries(one.properties).flatMap(([name, property]) => {
        const same = other.properties?.[name]
        const place = `${at}.${name}`
        if (!same) return [`${place} was removed.`]
        const left = one.required?.includes(name) && !other.required?.includes(name)
        return [
          ...(side === 'told' && left ? [`${place} may be left out.`] : []),
          ...compare(side, place, property, same),
        ]
      }),
      ...compare(side, `${at}[]`, one.items, other.items),
    ]
  }
}

function takenBreaks(at: string, was: Schema, now: Schema): string[] {
  const gone = (was.enum ?? []).filter(value => now.enum && !now.enum.includes(value))
  return [
    ...gone.map(value => `${at} no longer takes ${String(value)}.`),
    ...(now.enum && !was.enum ? [`${at} takes only ${now.enum.join(', ')}.`] : []),
    ...(now.required ?? []).filter(name => !was.required?.includes(name)).map(name => `${at}.${name} is demanded.`),
    ...LIMITS.filter(([limit, sign]) => {
      const [before, after] = [was[limit], now[limit]] as (number | undefined)[]
      return after !== undefined && (before === undefined || (after - before) * sign < 0)
    }).map(([limit]) => `${at} has another ${limit}: ${String(now[limit])}.`),
    ...(now.pattern !== undefined && now.pattern !== was.pattern ? [`${at} has another pattern.`] : []),
  ]
}

const typesOf = ({ type, const: only, enum: values }: Schema): string[] => {
  if (type !== undefined) return [type].flat()
  return [...new Set([...(only === undefined ? [] : [only]), ...(values ?? [])].map(value => typeof value))]
}

const entries = <Value>(object: Record<string, Value> | undefined) => Object.entries(object ?? {})
