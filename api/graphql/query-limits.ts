import { ApolloArmor } from '@escape.tech/graphql-armor'
import {
  GraphQLError,
  Kind,
  Lexer,
  TokenKind,
  type ASTVisitor,
  type GraphQLFormattedError,
  type SelectionSetNode,
  type Source,
  type ValidationContext,
  type ValidationRule,
} from 'graphql'
import { present } from '#schema/rules/present'

/**
 * How large one operation may be. Sized to the storefront's own largest ones, and to what a partner cannot do without: a
 * hundred products with all they say of themselves, and the question for the whole schema. query-limits.test.ts measures.
 */
export const QUERY_LIMITS = { depth: 10, cost: 8_000, aliases: 10, directives: 10, tokens: 500 }

export type QueryLimits = typeof QUERY_LIMITS
type Counted = Exclude<keyof QueryLimits, 'tokens'>

export const sentences: Record<Counted, (found: number, allowed: number) => string> = {
  depth: (found, allowed) => `This operation is ${found} levels deep, but ${allowed} are allowed.`,
  cost: (found, allowed) =>
    `This operation costs ${found.toLocaleString('en-US')} points, but ${allowed.toLocaleString('en-US')} are allowed. Ask for fewer fields, or for fewer items at a time.`,
  aliases: (found, allowed) => `This operation has ${found} aliases, but ${allowed} are allowed.`,
  directives: (found, allowed) => `This operation has ${found} directives, but ${allowed} are allowed.`,
}

/**
 * What is too large is refused before anything runs. Tokens are counted by the parser: see `parseOptions` in server.ts;
 * what an operation costs is known with its variables alone: see limit-cost.ts.
 */
export function limitRules(limits: QueryLimits = QUERY_LIMITS): ValidationRule[] {
  const refuse = (limit: Exclude<Counted, 'cost'>) => ({
    flattenFragments: true,
    // Its default is to throw, which Apollo answers with 500.
    propagateOnRejection: false,
    onReject: [
      (context: ValidationContext | null, { message }: Error) => {
        const allowed = limits[limit]
        const found = Math.ceil(Number(present(/found ([\d.e+]+)\.$/.exec(message))[1]))
        present(context).reportError(
          new GraphQLError(sentences[limit](found, allowed), { extensions: { limit, allowed, found } }),
        )
      },
    ],
  })
  const armor = new ApolloArmor({
    maxDepth: { n: limits.depth, ...refuse('depth') },
    costLimit: { enabled: false },
    maxAliases: { n: limits.aliases, allowList: [], ...refuse('aliases') },
    maxDirectives: { n: limits.directives, ...refuse('directives') },
    maxTokens: { enabled: false },
    blockFieldSuggestion: { enabled: false },
  })
  return [...armor.protect().validationRules, once]
}

/** A change stands once in an operation: what it may be tried, how often and how fast is counted by requests. */
function once(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(operation) {
      if (operation.operation !== 'mutation') return
      const asked = rootFields(operation.selectionSet, context)
      for (const limit of new Set(asked)) {
        const found = asked.filter(name => name === limit).length
        if (found > 1)
          context.reportError(
            new GraphQLError(`This request asks for \`${limit}\` ${found} times, but once is allowed.`, {
              extensions: { limit, allowed: 1, found },
            }),
          )
      }
    },
  }
}

/** The names of an operation's own fields, wherever fragments put them. */
function rootFields(
  { selections }: SelectionSetNode,
  context: ValidationContext,
  spread = new Set<string>(),
): string[] {
  return selections.flatMap(selection => {
    if (selection.kind === Kind.FIELD) return [selection.name.value]
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootFields(selection.selectionSet, context, spread)
    const name = selection.name.value
    const fragment = spread.has(name) ? null : context.getFragment(name)
    spread.add(name)
    return fragment ? rootFields(fragment.selectionSet, context, spread) : []
  })
}

/** The parser's own words for too many tokens say neither which limit it is nor how many there are. */
export function nameLimit(error: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
  if (!/more that \d+ tokens/.test(error.message)) return error
  const allowed = QUERY_LIMITS.tokens
  const found = tokensOf(present((thrown as GraphQLError).source))
  return {
    ...error,
    message: `This document has ${found} tokens, but ${allowed} are allowed.`,
    extensions: { ...error.extensions, limit: 'tokens', allowed, found },
  }
}

/** How many tokens can be read. */
function tokensOf(source: Source): number {
  const lexer = new Lexer(source)
  let count = 0
  try {
    while (lexer.advance().kind !== TokenKind.EOF) count++
  } catch {
    /** What follows is not GraphQL. */
  }
  return count
}
