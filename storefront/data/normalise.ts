import type { NormalizedCacheObject, OperationVariables, StoreObject } from '@apollo/client'
import type { Policies } from '@apollo/client/cache'
import type { DocumentNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql'

type Fields = Record<string, unknown>

/**
 * Writes an answer into the state of an Apollo cache: objects with an id get their own entry, everything else stays nested.
 * Unlike Apollo's own writing, it assumes that nobody reads the cache meanwhile, and takes a fraction of the time.
 */
export function normalise(
  state: NormalizedCacheObject,
  policies: Policies,
  { definitions }: DocumentNode,
  variables: OperationVariables,
  data: object,
): void {
  const operation = definitions.find(node => node.kind === 'OperationDefinition')
  const fragments = new Map(
    definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === 'FragmentDefinition')
      .map(node => [node.name.value, node]),
  )

  const write = ({ selections }: SelectionSetNode, answer: Fields, typename: unknown, into: Fields) => {
    for (const node of selections) {
      if (node.kind === 'Field') {
        const value = answer[node.alias?.value ?? node.name.value]
        if (value === undefined) continue
        const name =
          node.arguments?.length || node.directives?.length
            ? policies.getStoreFieldName({
                typename: String(typename),
                fieldName: node.name.value,
                field: node,
                variables,
              })
            : node.name.value
        into[name] = merged(into[name], node.selectionSet ? stored(node.selectionSet, value) : value)
      } else {
        const fragment = node.kind === 'FragmentSpread' ? fragments.get(node.name.value) : node
        const condition = fragment?.typeCondition?.name.value ?? typename
        if (fragment && condition === typename) write(fragment.selectionSet, answer, typename, into)
      }
    }
    return into
  }
  const stored = (selection: SelectionSetNode, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(item => stored(selection, item))
    if (!isObject(value)) return value
    const { __typename: typename, id } = value
    if (id === undefined || id === null) return write(selection, value, typename, {})
    const ref = `${String(typename)}:${String(id)}`
    write(selection, value, typename, (state[ref] ??= {}) as Fields)
    return { __ref: ref }
  }

  if (operation)
    write(
      operation.selectionSet,
      data as Fields,
      'Query',
      (state['ROOT_QUERY'] ??= { __typename: 'Query' } as StoreObject) as Fields,
    )
}

/** Merges two answers: one query may return some of an object's fields, and another the rest. */
function merged(known: unknown, coming: unknown): unknown {
  if (Array.isArray(known) && Array.isArray(coming) && known.length === coming.length)
    return coming.map((item, place) => merged(known[place], item))
  if (!isObject(known) || !isObject(coming) || '__ref' in coming) return coming
  for (const [name, value] of Object.entries(coming)) known[name] = merged(known[name], value)
  return known
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
