import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApolloLink } from '@apollo/client'
import {
  buildSchema,
  execute,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { from } from 'rxjs'

const folder = join(import.meta.dirname, '../../schema')
const schema = buildSchema(
  readdirSync(folder)
    .filter(file => file.endsWith('.graphql'))
    .map(file => readFileSync(join(folder, file), 'utf8'))
    .join('\n'),
)

/** A text that would do harm if it were taken for HTML, or for a pattern. */
const TEXT = `<i>"Wool" & 'silk'</i> $& <!-- ’`
const ITEMS = 3

/** A value for any type, the same each time. */
function madeUp(type: GraphQLOutputType, path: string, place: number): unknown {
  if (isNonNullType(type)) return madeUp(type.ofType, path, place)
  if (isListType(type)) return Array.from({ length: ITEMS }, (_, index) => madeUp(type.ofType, path, index))
  if (isEnumType(type)) return type.getValues()[place % type.getValues().length]?.value
  if (isAbstractType(type)) return { __typename: schema.getPossibleTypes(type)[0]?.name, place }
  if (isObjectType(type)) return { place }
  if (type.name === 'Int' || type.name === 'Cents') return 20 + place
  if (type.name === 'Float') return 3.5 + place / 2
  if (type.name === 'Boolean') return place % 2 === 0
  if (type.name === 'ID') return `${path}-${place}`
  if (type.name === 'DateTime') return '2026-11-20T10:00:00.000Z'
  return `${path} ${place} ${TEXT}`
}

/** Answers every query of the contract with made-up values, except the fields that are given (`Product.name`). */
export function madeUpAnswers(given: Record<string, unknown> = {}): ApolloLink {
  const fieldResolver: GraphQLFieldResolver<{ place?: number } | undefined, unknown> = (
    source,
    _args,
    _context,
    info,
  ) => {
    const field = `${info.parentType.name}.${info.fieldName}`
    return field in given ? given[field] : madeUp(info.returnType, field, source?.place ?? 0)
  }
  return new ApolloLink(({ query, variables }) =>
    from(Promise.resolve(execute({ schema, document: query, variableValues: variables, fieldResolver }))),
  )
}
