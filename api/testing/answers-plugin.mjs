// Codegen plugin: `DataOf`, the type of a document's answer, found by the document's text. Tests write their documents as text.
import { preprocessIntrospection } from '@gql.tada/internal'
import { introspectionFromSchema } from 'graphql'

export const plugin = schema => `import type { initGraphQLTada, ResultOf } from 'gql.tada'

type Contract = ${preprocessIntrospection(introspectionFromSchema(schema, { descriptions: false }))}

declare const graphql: initGraphQLTada<{
  introspection: Contract
  scalars: { DateTime: string; Cents: number; Upload: File }
  disableMasking: true
}>
const typed = <const Document extends string>(document: Document) => graphql(document)
type Result<Document extends string> = ResultOf<ReturnType<typeof typed<Document>>>

/** Where the contract allows null and a test reads on, null fails the test by itself. */
type Present<T> = T extends readonly (infer Item)[]
  ? Present<Item>[]
  : T extends object
    ? { [Key in keyof T]: Present<T[Key]> }
    : NonNullable<T>

/** What a document is answered with, by its text; unknown of a text that is put together at run time. */
export type DataOf<Document extends string> = [Result<Document>] extends [never] ? unknown : Present<Result<Document>>

/** Of a document with one field at its root: what that is answered with. */
export type FieldOf<Document extends string> = DataOf<Document>[keyof DataOf<Document>]
`
