import {
  getNamedType,
  GraphQLError,
  isObjectType,
  Kind,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { present } from '#schema/rules/present'
import { costOf } from '../graphql/operation-cost.ts'
import { limitRules, QUERY_LIMITS } from '../graphql/query-limits.ts'
import { refuse } from '../kernel/errors.ts'
import { MOST } from '../query/connection.ts'

export interface ExportQuery {
  /** The root field. */
  connection: string
  /** Asks for the part behind `$after`, of `$first` things, as `part`. */
  document: DocumentNode
  /** How many things at a time cost no more than an operation may. */
  first: number
}

const invalid = (message: string) => refuse('INVALID', message, { field: ['query'] })
const PAGED = ['first', 'after', 'last', 'before']

/** What a query of one connection wants of every thing, made into a query that turns the pages. Refuses any other. */
export function readExportQuery(schema: GraphQLSchema, text: string): ExportQuery {
  const document = parsed(text)
  const [problem] = validate(schema, document, [...specifiedRules, ...limitRules()])
  if (problem) throw invalid(problem.message)
  const [operation, ...others] = document.definitions.filter(each => each.kind === Kind.OPERATION_DEFINITION)
  if (!operation || others.length > 0 || operation.operation !== 'query' || operation.variableDefinitions?.length)
    throw invalid('One query without variables is needed.')
  const [root, ...more] = operation.selectionSet.selections
  const field = root?.kind === Kind.FIELD && more.length === 0 ? root : null
  const type = field && present(schema.getQueryType()).getFields()[field.name.value]?.type
  const named = type && getNamedType(type)
  if (!field || !isObjectType(named) || !named.getFields()['totalCount'] || field.directives?.length)
    throw invalid('The query has to be of one connection, such as productsConnection, and nothing else.')
  if (field.arguments?.some(({ name }) => PAGED.includes(name.value)))
    throw invalid('Leave out `first`, `after`, `last` and `before`: the shop turns the pages.')
  if (!hasEdges(present(field.selectionSet)))
    throw invalid('Ask for `edges { node { … } }` with the fields of every line, and nothing else.')
  const paged = {
    ...document,
    definitions: document.definitions.map(each => (each === operation ? pages(operation, field) : each)),
  }
  return { connection: field.name.value, document: paged, first: mostAtOnce(schema, paged) }
}

function parsed(text: string): DocumentNode {
  try {
    return parse(text, { maxTokens: QUERY_LIMITS.tokens })
  } catch (error) {
    if (error instanceof GraphQLError) throw invalid(error.message)
    throw error
  }
}

function hasEdges({ selections }: SelectionSetNode): boolean {
  const [edges, ...others] = selections
  const [node, ...more] = edges?.kind === Kind.FIELD ? (edges.selectionSet?.selections ?? []) : []
  return (
    [edges, node].every(
      (each, index) => each?.kind === Kind.FIELD && !each.alias && each.name.value === ['edges', 'node'][index],
    ) &&
    others.length === 0 &&
    more.length === 0
  )
}

const [TEMPLATE] = parse(`query ($first: Int!, $after: String, $counts: Boolean!) {
  part(first: $first, after: $after) { pageInfo { hasNextPage endCursor } totalCount @include(if: $counts) }
}`).definitions as [OperationDefinitionNode]
const PART = TEMPLATE.selectionSet.selections[0] as FieldNode

/** The operation with pages: as asked for, the part after a cursor, and where that ends. */
function pages(operation: OperationDefinitionNode, field: FieldNode): OperationDefinitionNode {
  const part: FieldNode = {
    ...field,
    alias: { kind: Kind.NAME, value: 'part' },
    arguments: [...(field.arguments ?? []), ...present(PART.arguments)],
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: [...present(field.selectionSet).selections, ...present(PART.selectionSet).selections],
    },
  }
  return {
    ...operation,
    variableDefinitions: present(TEMPLATE.variableDefinitions),
    selectionSet: { kind: Kind.SELECTION_SET, selections: [part] },
  }
}

function mostAtOnce(schema: GraphQLSchema, document: DocumentNode): number {
  const operation = present(document.definitions.find(each => each.kind === Kind.OPERATION_DEFINITION))
  const costs = (first: number) =>
    costOf({ schema, document, operation, variables: { first, counts: true }, pageSize: 1 })
  for (let first = MOST; first >= 1; first = Math.floor(first / 2)) if (costs(first) <= QUERY_LIMITS.cost) return first
  throw invalid('This asks for too much of every thing: ask for fewer fields.')
}
