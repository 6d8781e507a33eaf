import type { ASTNode } from 'graphql'

/**
 * An operation as text on one line: the part of GraphQL's own printer that pages need, at a fraction of its size. It
 * replaces that printer in what browsers load (vite.config.ts).
 */
export function print(node: ASTNode): string {
  switch (node.kind) {
    case 'Document':
      return each(node.definitions)
    case 'OperationDefinition':
      return `${node.operation} ${maybe(node.name)}${each(node.variableDefinitions, '()')}${each(node.directives)}${print(node.selectionSet)}`
    case 'FragmentDefinition':
      return `fragment ${print(node.name)} on ${print(node.typeCondition)}${each(node.directives)}${print(node.selectionSet)}`
    case 'VariableDefinition':
      return `${print(node.variable)}:${print(node.type)}${node.defaultValue ? `=${print(node.defaultValue)}` : ''}${each(node.directives)}`
    case 'SelectionSet':
      return each(node.selections, '{}')
    case 'Field':
      return `${node.alias ? `${print(node.alias)}:` : ''}${print(node.name)}${each(node.arguments, '()')}${each(node.directives)}${maybe(node.selectionSet)}`
    case 'FragmentSpread':
      return `...${print(node.name)}${each(node.directives)}`
    case 'InlineFragment':
      return `...${node.typeCondition ? `on ${print(node.typeCondition)}` : ''}${each(node.directives)}${print(node.selectionSet)}`
    case 'Directive':
      return `@${print(node.name)}${each(node.arguments, '()')}`
    case 'Argument':
    case 'ObjectField':
      return `${print(node.name)}:${print(node.value)}`
    case 'Variable':
      return `$${print(node.name)}`
    case 'NamedType':
      return print(node.name)
    case 'ListType':
      return `[${print(node.type)}]`
    case 'NonNullType':
      return `${print(node.type)}!`
    case 'ListValue':
      return `[${each(node.values)}]`
    case 'ObjectValue':
      return `{${each(node.fields)}}`
    case 'StringValue':
      return JSON.stringify(node.value)
    case 'NullValue':
      return 'null'
    case 'Name':
    case 'IntValue':
    case 'FloatValue':
    case 'BooleanValue':
    case 'EnumValue':
      return String(node.value)
    default:
      throw new Error(`Operations have no ${node.kind}.`)
  }
}

const maybe = (node: ASTNode | undefined) => (node ? print(node) : '')

/** The nodes one after the other, in brackets if there are any nodes. */
const each = (nodes: readonly ASTNode[] = [], brackets = '') =>
  nodes.length === 0 ? '' : `${brackets.charAt(0)}${nodes.map(print).join(' ')}${brackets.charAt(1)}`
