import { GraphQLError, GraphQLScalarType, Kind } from 'graphql'
import { GraphQLDateTimeISO } from 'graphql-scalars'
import { GraphQLUpload, type FileUpload } from 'graphql-upload-minimal'

function cents(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw new GraphQLError(`Cents must be a whole number of cents, not ${JSON.stringify(value)}.`)
  }
  return value
}

// Each scalar is a type and a value of the same name, because the generated classes use it as both.
type Cents = number
export const Cents = new GraphQLScalarType<number, number>({
  name: 'Cents',
  description: 'An amount of money in US cents. Always a whole number: 1250 is $12.50.',
  serialize: cents,
  parseValue: cents,
  parseLiteral: node => {
    if (node.kind !== Kind.INT) throw new GraphQLError('Cents must be a whole number of cents.')
    return cents(Number(node.value))
  },
})

export type DateTime = Date
export const DateTime = new GraphQLScalarType({
  ...GraphQLDateTimeISO.toConfig(),
  name: 'DateTime',
  description: 'An instant in time, ISO 8601 in UTC, for example `2026-11-21T09:30:00.000Z`.',
})

type Upload = Promise<FileUpload>
export const Upload = new GraphQLScalarType({ ...GraphQLUpload.toConfig(), name: 'Upload' })
