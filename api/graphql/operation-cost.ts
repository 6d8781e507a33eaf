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
import { limits } from '#schema/rules/limits'
import { present } from '#schema/rules/present'
import { MOST, USUAL } from '../query/connection.ts'
import { AUDIT_PAGE, BULK_LIMIT, DELIVERIES_PAGE, MOST_NODES, ROWS_PAGE } from '../query/page-sizes.ts'

/**
 * What an operation costs, in points: one for every thing it may answer with, and more for what asks the database or
 * changes something. Its lists count as long as they can get with the arguments it is run with, so lists within lists
 * multiply. docs/partner-guide.md tells partners so; they are told nothing else.
 */
const POINTS = {
  /** A thing, such as a product, with all its plain fields. */
  thing: 1,
  /** A page or a part of a connection: beside its things it takes a statement of its own for whatever it belongs to. */
  page: 5,
  change: 10,
  /** Introspection is read from memory: so many of its things are as one. */
  introspected: 4,
}

/** Fields with work of their own. Hashing a password keeps a processor and 19 MB for its time. */
const OWN: Record<string, number> = {
  'Mutation.register': 100,
  'Mutation.login': 100,
  'Mutation.signInWithProvider': 100,
  'Mutation.linkIdentity': 100,
  'Mutation.unlinkIdentity': 100,
  'Mutation.resetPassword': 100,
  'Mutation.updateProfile': 100,
  'Mutation.deleteAccount': 100,
  'Mutation.exportAccount': 100,
  // Everybody can have an account.
  'Mutation.uploadReviewPicture': 50,
  'Query.dashboard': 100,
  'Query.searchSuggestions': 10,
  'Query.exportProducts': 1_000,
  'Mutation.startExport': 1_000,
  'Product.substitutes': 5,
  'Product.goesWith': 5,
  'SkeinEstimate.instead': 5,
}

/** Points of each line of what changes many things at once, whether or not the answer tells of it. */
const PER_LINE: Record<string, number> = {
  'Mutation.adjustStock': 1,
  'Mutation.setProducts': 2,
}

/** How many things a page has, where it is not the shop's page size. */
const PAGES: Record<string, number> = {
  'Query.auditLog': AUDIT_PAGE,
  'Product.history': AUDIT_PAGE,
  'Order.history': AUDIT_PAGE,
  'ProductImport.rows': ROWS_PAGE,
  'Query.webhookDeliveries': DELIVERIES_PAGE,
}

/** How many things other lists can have; as many as are usual where nothing bounds them. Nested introspection as it is on average. */
const LISTS: Record<string, number> = {
  'ApiKey.usage': 14,
  'Query.customersAlsoViewed': 4,
  'Query.wallOfColour': 78,
  // They stand in the product's own row, and hardly cost more than its plain fields.
  'Product.pictures': 0.1,
  'Review.pictures': 0.1,
  'Product.colours': 2,
  // Plain numbers.
  'ReviewSummary.stars': 1,
  'Product.substitutes': 8,
  'Product.goesWith': 6,
  'ProductGroup.products': limits.groupProducts,
  'ProductGroup.members': limits.groupProducts,
  'ProductGroup.colours': 6,
  'Query.productGroups': 20,
  'ProductFacts.fibres': 3,
  'ProductFacts.needles': 2,
  'ProductFacts.hooks': 2,
  // Some 140 values in all.
  'ProductPage.facets': 12,
  'ProductFacet.values': 12,
  'SearchSuggestions.products': 5,
  'SearchSuggestions.terms': 6,
  'Query.nodes': MOST_NODES,
  'Query.synonyms': 100,
  'Query.pages': 6,
  'Query.stash': 30,
  'Query.addresses': 3,
  'Query.bells': 5,
  // They stand in the line's own row.
  'OrderItem.lots': 0.02,
  'FulfilmentLine.lots': 0.02,
  'CartQuoteLine.lots': 0.02,
  'Product.lots': 2,
  // Plain texts, read together with the note.
  'Order.tags': 0.1,
  'Product.tags': 0.1,
  'User.identities': 1,
  'User.tags': 0.1,
  'Order.externalIds': 0.1,
  'Product.externalIds': 0.1,
  'User.externalIds': 0.1,
  'Query.myOrders': 100,
  'Order.items': limits.linesPerOrder,
  'Order.refunds': 5,
  'Order.payments': 1,
  'Order.incidents': 5,
  'Order.fulfilments': 2,
  // Most parcels hold a line or two.
  'Fulfilment.lines': 2,
  // Little comes back.
  'Fulfilment.returns': 0.5,
  'FulfilmentReturn.lines': 2,
  'FulfilmentReturnLine.lots': 0.02,
  'CartQuote.lines': limits.linesPerOrder,
  'Cart.lines': limits.linesPerOrder,
  'CartLine.lots': 0.02,
  // What is told of a line or two, as a rule.
  'Cart.notices': 2,
  'CartPayload.notices': 2,
  'DiscountTerms.productIds': 1,
  'Dashboard.buckets': 366,
  'Dashboard.bestSellers': 10,
  'Dashboard.lowStock': 10,
  'Dashboard.ordersToDeliver': 10,
  'Dashboard.newestReviews': 5,
  'AuditEntry.changes': 15,
  'ImportRow.changes': 15,
  'WebhookDelivery.attempts': 10,
  '__Schema.types': 150,
  '__Schema.directives': 6,
  '__Type.fields': 4,
  '__Type.inputFields': 1,
  '__Type.interfaces': 1,
  '__Type.possibleTypes': 1,
  '__Type.enumValues': 2,
  '__Field.args': 1,
  '__Directive.args': 1,
}

export interface Asked {
  schema: GraphQLSchema
  document: DocumentNode
  operation: OperationDefinitionNode
  variables: Readonly<Record<string, unknown>>
  /** Things on a page. */
  pageSize: number
}

/** The points of one operation with these variables. Nothing is run for it. */
export function costOf({ schema, document, operation, variables: given, pageSize }: Asked): number {
  const fragments = new Map(
    document.definitions.filter(each => each.kind === Kind.FRAGMENT_DEFINITION).map(each => [each.name.value, each]),
  )
  // Variables that cannot be read are refused before anything runs.
  const variables = getVariableValues(schema, operation.variableDefinitions ?? [], given).coerced ?? {}
  const counted: Counted = { schema, fragments, variables, pageSize }
  const root = present(schema.getRootType(operation.operation))
  return Math.ceil(costOfFields(fieldsOf([operation.selectionSet], root, counted), undefined, counted))
}

/** How many things a list answers with. Every list of the contract has a length: a test sees to it. */
export function lengthOf(list: string, below: number | undefined): number {
  const length = LISTS[list] ?? (list.endsWith('.userErrors') ? 1 : below)
  if (length === undefined) throw new Error(`Nobody says how long ${list} can get`)
  return length
}

interface Counted extends Pick<Asked, 'schema' | 'pageSize'> {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  variables: Record<string, unknown>
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
  { variables, pageSize }: Counted,
): number | undefined {
  const named = getNamedType(field.type)
  if (isPage(named)) return PAGES[name] ?? pageSize
  if (isConnection(named)) {
    const given = argumentsOf(field, node, variables)
    return Math.min(Math.max(Number(given['first'] ?? given['last'] ?? USUAL), 0), MOST)
  }
  const list = field.args.find(({ type }) => isListType(getNullableType(type)))
  return list && Math.min([argumentsOf(field, node, variables)[list.name] ?? []].flat().length, BULK_LIMIT)
}

const isPage = (type: unknown) => isObjectType(type) && type.name.endsWith('Page')
const isConnection = (type: unknown) => isObjectType(type) && type.name.endsWith('Connection')

function argumentsOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Record<string, unknown>,
): Record<string, unknown> {
  try {
    return getArgumentValues(field, node, variables)
  } catch {
    // Nor will the field be run with them.
    return {}
  }
}

function isLeftOut(selection: SelectionNode, variables: Record<string, unknown>): boolean {
  if (!selection.directives?.length) return false
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
  const { schema, fragments, variables } = counted
  const answered = new Map<string, Answered>()
  const spread = new Set<string>()
  const collect = (set: SelectionSetNode, on: GraphQLCompositeType) => {
    for (const selection of set.selections) {
      if (isLeftOut(selection, variables)) continue
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
