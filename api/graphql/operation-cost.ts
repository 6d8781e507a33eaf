import {
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  getVariableValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isCompositeType,
  isIntrospectionType,
  isListType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { present } from '#schema/rules/present'
import { MOST, USUAL } from '../query/connection.ts'
import { BULK_LIMIT } from '../query/page-sizes.ts'
import { LISTS, OWN, PAGES, PER_LINE, POINTS } from './operation-points.ts'

export interface Asked {
  schema: GraphQLSchema
  document: DocumentNode
  operation: OperationDefinitionNode
  variables: Readonly<Record<string, unknown>>
  /** Things on a page. */
  pageSize: number
}

/** What operations cost whatever their variables are, and in which schema and on pages of which size. */
const constants = new WeakMap<OperationDefinitionNode, Pick<Asked, 'schema' | 'pageSize'> & { cost: number }>()

/** The points of one operation with these variables. Nothing is run for it. */
export function costOf({ schema, document, operation, variables: given, pageSize }: Asked): number {
  const known = constants.get(operation)
  if (known?.schema === schema && known.pageSize === pageSize) return known.cost
  const fragments = new Map(
    document.definitions.filter(each => each.kind === Kind.FRAGMENT_DEFINITION).map(each => [each.name.value, each]),
  )
  let read: Record<string, unknown> | undefined
  const counted: Counted = {
    schema,
    fragments,
    // Variables that cannot be read are refused before anything runs.
    get variables() {
      return (read ??= getVariableValues(schema, operation.variableDefinitions ?? [], given).coerced ?? {})
    },
    pageSize,
  }
  const root = present(schema.getRootType(operation.operation))
  const cost = Math.ceil(costOfFields(fieldsOf([operation.selectionSet], root, counted), undefined, counted))
  if (!read) constants.set(operation, { schema, pageSize, cost })
  return cost
}

/** How many things a list answers with. Every list of the contract has a length: a test sees to it. */
export function lengthOf(list: string, below: number | undefined): number {
  const length = LISTS[list] ?? (list.endsWith('.userErrors') ? 1 : below)
  if (length === undefined) throw new Error(`Nobody says how long ${list} can get`)
  return length
}

interface Counted extends Pick<Asked, 'schema' | 'pageSize'> {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Who looks at them may come to another cost with others. */
  readonly variables: Record<string, unknown>
}

/** A field as the answer has it: all its occurrences, and the type that has it. */
interface Answered {
  type: GraphQLCompositeType
  nodes: FieldNode[]
}

/** `below` is how long the lists are that these fields are, as the field above was asked. */
function costOfFields(fields: Iterable<Answered>, below: number | undefined, counted: Counted): number {
  let cost = 0
  for (const field of fields) cost += costOfField(field, below, counted)
  return cost
}

function costOfField({ type, nodes }: Answered, below: number | undefined, counted: Counted): number {
  const [node] = nodes as [FieldNode]
  const field = definitionOf(type, node.name.value, counted.schema)
  if (!field) return 0
  const { name, own, perLine, things } = traitsOf(field, type, counted.schema)
  const length = things || perLine ? lengthBelow(field, name, node, counted) : undefined
  const itself = own + perLine * (length ?? 0)
  if (!things) return itself

  const inside = costOfFields(
    fieldsOf(
      nodes.map(({ selectionSet }) => present(selectionSet)),
      things.type,
      counted,
    ),
    length,
    counted,
  )
  return (itself + (things.isList ? lengthOf(name, below) : 1) * (things.points + inside)) / things.by
}

/** What a field costs however it is asked. */
interface Traits {
  /** As `Type.field`. */
  name: string
  own: number
  perLine: number
  /** What it answers with, but for plain values. */
  things: { type: GraphQLCompositeType; isList: boolean; points: number; by: number } | null
}

/** Found once: thousands of fields are counted before a large operation runs. */
const traits = new WeakMap<GraphQLField<unknown, unknown>, Traits>()

function traitsOf(field: GraphQLField<unknown, unknown>, type: GraphQLCompositeType, schema: GraphQLSchema): Traits {
  const known = traits.get(field)
  if (known) return known
  const name = `${type.name}.${field.name}`
  const named = getNamedType(field.type)
  const root = type === schema.getMutationType() ? POINTS.change : type === schema.getQueryType() ? POINTS.thing : 0
  const found = {
    name,
    own: OWN[name] ?? root,
    perLine: PER_LINE[name] ?? 0,
    things: isCompositeType(named)
      ? {
          type: named,
          isList: isListType(getNullableType(field.type)),
          points: isPage(named) || isConnection(named) ? POINTS.page : POINTS.thing,
          by: isIntrospectionType(named) && !isIntrospectionType(type) ? POINTS.introspected : 1,
        }
      : null,
  }
  traits.set(field, found)
  return found
}

/** How long the lists of what a field answers with are. */
function lengthBelow(
  field: GraphQLField<unknown, unknown>,
  name: string,
  node: FieldNode,
  counted: Counted,
): number | undefined {
  const named = getNamedType(field.type)
  if (isPage(named)) return PAGES[name] ?? counted.pageSize
  if (isConnection(named)) {
    const given = argumentsOf(field, node, counted)
    return Math.min(Math.max(Number(given['first'] ?? given['last'] ?? USUAL), 0), MOST)
  }
  const list = field.args.find(({ type }) => isListType(getNullableType(type)))
  return list && Math.min([argumentsOf(field, node, counted)[list.name] ?? []].flat().length, BULK_LIMIT)
}

const isPage = (type: unknown) => isObjectType(type) && type.name.endsWith('Page')
const isConnection = (type: unknown) => isObjectType(type) && type.name.endsWith('Connection')

function argumentsOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  counted: Counted,
): Record<string, unknown> {
  try {
    return getArgumentValues(field, node, counted.variables)
  } catch {
    // Nor will the field be run with them.
    return {}
  }
}

function isLeftOut(selection: SelectionNode, counted: Counted): boolean {
  if (!selection.directives?.length) return false
  const { variables } = counted
  try {
    return (
      getDirectiveValues(GraphQLSkipDirective, selection, variables)?.['if'] === true ||
      getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.['if'] === false
    )
  } catch {
    // The variable that says so is missing, and the operation is refused for it.
    return false
  }
}

function definitionOf(type: GraphQLCompositeType, name: string, schema: GraphQLSchema) {
  if (type === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef
  }
  return 'getFields' in type ? type.getFields()[name] : undefined
}

/** The fields of an answer: what has the same name in it is one field, and a fragment counts once wherever it is spread. */
function fieldsOf(sets: readonly SelectionSetNode[], type: GraphQLCompositeType, counted: Counted): Iterable<Answered> {
  const { schema, fragments } = counted
  const answered = new Map<string, Answered>()
  const spread = new Set<string>()
  const collect = (set: SelectionSetNode, on: GraphQLCompositeType) => {
    for (const selection of set.selections) {
      if (isLeftOut(selection, counted)) continue
      if (selection.kind === Kind.FIELD) {
        // What a fragment asks of one type is not what another asks of its own.
        const { value } = selection.alias ?? selection.name
        const key = on === type ? value : `${on.name} ${value}`
        const known = answered.get(key)
        if (known) known.nodes.push(selection)
        else answered.set(key, { type: on, nodes: [selection] })
        continue
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (spread.has(selection.name.value)) continue
        spread.add(selection.name.value)
      }
      if (!fragment) continue
      const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value)
      collect(fragment.selectionSet, isCompositeType(condition) ? condition : on)
    }
  }
  for (const set of sets) collect(set, type)
  return answered.values()
}
