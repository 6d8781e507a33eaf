import { createHash } from 'node:crypto'
import { Kind, print, visit, type DocumentNode } from 'graphql'

/**
 * The same for one operation however it is sent: clients print it their own way, in any order of its parts, and add
 * `__typename` for their cache.
 */
export function operationKey(document: DocumentNode): string {
  const bare = visit(document, { Field: ({ name }) => (name.value === '__typename' ? null : undefined) })
  const parts = bare.definitions.map(definition =>
    definition.kind === Kind.OPERATION_DEFINITION || definition.kind === Kind.FRAGMENT_DEFINITION
      ? print(definition)
      : '',
  )
  return createHash('sha256').update(parts.toSorted().join('\n')).digest('base64url')
}
