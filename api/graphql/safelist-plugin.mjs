// A codegen plugin: the keys of every operation the storefront sends.
import { concatAST, separateOperations } from 'graphql'
import { operationKey } from './operation-key.ts'

export function plugin(_schema, documents) {
  const operations = Object.values(separateOperations(concatAST(documents.map(({ document }) => document))))
  const keys = operations.map(operationKey).toSorted()
  return `export const SAFELIST: ReadonlySet<string> = new Set(${JSON.stringify(keys, null, 2)})\n`
}
