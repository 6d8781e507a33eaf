export default {
  schema: './schema.graphql',
  documents: './codegen.ts',
  generates: {
    './generated/codegen/': { preset: 'client', config: { scalars: { Cents: 'number', DateTime: 'string' } } },
  },
}
