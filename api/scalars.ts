import { GraphQLError, GraphQLScalarType, Kind } from 'graphql'
import { GraphQLDateTimeISO } from 'graphql-scalars'

function cents(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw new GraphQLError(`Cents is a whole number of cents, not ${JSON.stringify(value)}.`)
  }
  return value
}

// Each scalar is a type and a value of the same name, because the generated classes use it as both.
export type Cents = number
export const Cents = new GraphQLScalarType<number, number>({
  name: 'Cents',
  serialize: cents,
  parseValue: cents,
  parseLiteral: node => {
    if (node.kind !== Kind.INT) throw new GraphQLError('Cents is a whole number of cents.')
    return cents(Number(node.value))
  },
})

export type DateTime = Date
export const DateTime = new GraphQLScalarType({ ...GraphQLDateTimeISO.toConfig(), name: 'DateTime' })
