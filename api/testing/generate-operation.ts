import { array, nat } from 'fast-check'
import {
  getNamedType,
  getNullableType,
  GraphQLBoolean,
  GraphQLNonNull,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
} from 'graphql'
import { schema } from '../schema.ts'
import { nth, present } from '#schema/rules/present'

/** The body of a request, as a client may send it by mistake or on purpose. */
export interface Operation {
  query: string
  variables: unknown
  operationName?: string
}

/** The numbers an operation is made from, one for every choice. Zero is the plain choice, and is used once they run out. */
export const CHOICES = array(nat(), { minLength: 20, maxLength: 60, size: 'max' })

const ROOTS = [
  ['query', schema.getQueryType()],
  ['mutation', schema.getMutationType()],
  ['subscription', schema.getSubscriptionType()],
] as const
const MANGLED = [...'{}()[]:!$@&|="\\#,.\0\ufeff\u2028\ud800🧶aא0-', '...', '"""', 'on', 'null', '{'.repeat(200)]
const TEXTS = [
  'yarn',
  '',
  ' ',
  '0',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  '🧶🧶',
  '👩‍👩‍👧‍👦',
  'שלום',
  '\u202eיarn\u202c',
  'e\u0301\u0323',
  '\u200b',
  '%',
  '_',
  '\\',
  "' or 1=1; --",
  '"',
  '$1',
  '?',
  '{{x}}',
  '<script>',
  '../../etc/passwd',
  'null',
  '__proto__',
  'constructor',
  'x'.repeat(300),
  'y'.repeat(5_000),
  '汉'.repeat(2_100),
  'a@b.c',
  'someone@example.org',
  '2026-11-21T09:30:00Z',
  '2026-13-45',
  '\n\r\t',
  '1e309',
  '-1',
  'NaN',
  '\u0130\u0131ß',
  'https://warehouse.example.com/skein',
  'https://user:word@[::1]:22/',
  'Yarn 1',
  'Worsted',
  'USD',
]
const NUMBERS = [
  1, 0, -1, 2, 12, 100, 101, 1_000, 1_000_001, 2_147_483_647, 2_147_483_648, -2_147_483_648, 9_007_199_254_740_991,
  1e21, 1e308, 1.5, -0.01,
]
const INTS = NUMBERS.filter(each => Number.isInteger(each) && Math.abs(each) < 2 ** 31)
/** Values that fit no type, or another type than the one asked for. */
const JUNK: readonly unknown[] = [
  null,
  true,
  ...NUMBERS,
  ...TEXTS,
  [],
  [[]],
  {},
  { id: 1 },
  [null],
  JSON.parse('{"__proto__":{"a":1}}'),
  Array.from({ length: 2_000 }, (_, index) => index),
]

class Choices {
  #next = 0
  readonly #made: readonly number[]

  constructor(made: readonly number[]) {
    this.#made = made
  }

  /** A number from 0 to just below `count`. */
  below(count: number): number {
    return (this.#made[this.#next++] ?? 0) % count
  }

  one<T>(list: readonly T[]): T {
    return nth(list, this.below(list.length))
  }

  /** True in so many of a hundred cases; never once the choices have run out. */
  chance(percent: number): boolean {
    return this.below(100) >= 100 - percent
  }
}

/** Makes one operation from the contract, with some of these ids: right, wrong in places, or hardly GraphQL any more. */
export function operationFrom(
  made: readonly number[],
  ids: readonly string[],
): { operation: Operation; sound: boolean; roots: readonly string[] } {
  const choices = new Choices(made)
  // Of a hundred: 10 run as they stand, 3 of them changes; 62 contain mistakes; 28 are damaged as text.
  const kind = choices.below(100)
  const sound = kind < 10
  const writer = new Writer(choices, ids, sound ? 0 : kind < 72 ? 14 + choices.below(14) : 2)
  const operation = writer.operation(kind < 3 || (kind >= 60 && kind < 72))
  return {
    sound,
    roots: writer.roots,
    operation: kind < 72 ? operation : { ...operation, query: damaged(operation.query, choices) },
  }
}

function damaged(text: string, choices: Choices): string {
  let result = text
  for (let times = 1 + choices.below(3); times > 0; times--) {
    const at = choices.below(result.length + 1)
    const rest = result.slice(at)
    result =
      result.slice(0, at) +
      choices.one([
        rest.slice(1),
        choices.one(MANGLED) + rest,
        '',
        rest + rest,
        choices.one(MANGLED) + rest.slice(1),
        rest.slice(choices.below(20)),
      ])
  }
  return result
}

/** Writes one document. Of a hundred choices, so many are mistakes. */
class Writer {
  readonly #choices: Choices
  readonly #ids: readonly string[]
  readonly #mistakes: number
  readonly #declared: string[] = []
  readonly #variables: Record<string, unknown> = {}
  readonly #fragments: string[] = []
  /** Names of the fields it asks the root for. */
  readonly roots: string[] = []
  #fragmentCount = 0

  constructor(choices: Choices, ids: readonly string[], mistakes: number) {
    this.#choices = choices
    this.#ids = ids
    this.#mistakes = mistakes
  }

  operation(changes: boolean): Operation {
    const choices = this.#choices
    const [keyword, type] = changes ? ROOTS[1] : this.#wrong() ? choices.one(ROOTS) : ROOTS[0]
    const body = isObjectType(type) ? this.#selection(type, 0) : '{ __typename }'
    const name = choices.one(['', 'Everything', 'A'])
    const declared = this.#wrong() ? this.#declared.slice(1) : this.#declared
    const head = `${keyword} ${name}${declared.length > 0 ? `(${declared.join(' ')})` : ''}${this.#directives()}`
    const parts = [
      `${head} ${body}`,
      ...this.#fragments,
      ...(this.#wrong()
        ? [
            choices.one([
              `query ${name} { shop { name } }`,
              'fragment Unused on Product { id }',
              'type Query { a: Int }',
              'fragment F0 on Query { ...F0 }',
            ]),
          ]
        : []),
    ]
    return {
      query: parts.join('\n'),
      variables: this.#wrong()
        ? choices.one([
            null,
            [],
            'x',
            5,
            {},
            { ...this.#variables, more: this.#junk() },
            Object.fromEntries(Object.keys(this.#variables).map(key => [key, this.#junk()])),
          ])
        : this.#variables,
      ...(this.#wrong() && { operationName: choices.one([name, 'B', '', '\0']) }),
    }
  }

  #wrong(): boolean {
    return this.#mistakes > 0 && this.#choices.chance(this.#mistakes)
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    const choices = this.#choices
    if (this.#wrong())
      return choices.one([
        '',
        '{ }',
        '{ nothing }',
        '{ id id: name }',
        '{ ...Missing }',
        '{ __schema { types { name } } }',
        '{ ... on Nothing { id } }',
      ])
    const fields =
      isObjectType(type) || 'getFields' in type
        ? Object.values((type as { getFields(): Record<string, GraphQLField<unknown, unknown>> }).getFields())
        : []
    const written = ['__typename', ...(fields.some(({ name }) => name === 'userErrors') ? ['userErrors { code }'] : [])]
    for (let count = 1 + choices.below(depth === 0 ? 2 : 5); count > 0; count--) {
      const field = choices.one(fields)
      // Far down only plain values are asked for, or an operation might never end.
      if (depth > 7 && isCompositeType(getNamedType(field.type))) continue
      written.push(this.#field(field, depth))
    }
    if (depth > 0 && choices.chance(12)) return `{ ${this.#fragment(type, written.join(' '))} }`
    if (type.name === 'Node')
      written.push(
        ...['Product', 'Order', 'Review', 'User'].map(
          name => `... on ${name} ${this.#selection(present(schema.getType(name)), depth + 1)}`,
        ),
      )
    return `{ ${written.join(' ')} }`
  }

  #fragment(type: GraphQLNamedType, fields: string): string {
    const on = this.#wrong() ? this.#choices.one(['Query', 'Nothing', 'ProductInput', 'Cents']) : type.name
    if (this.#choices.chance(50)) return `... on ${on}${this.#directives()} { ${fields} }`
    const name = `F${this.#fragmentCount++}`
    this.#fragments.push(`fragment ${name} on ${on} { ${fields}${this.#wrong() ? ` ...${name}` : ''} }`)
    return `...${name}`
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const choices = this.#choices
    if (depth === 0) this.roots.push(field.name)
    const alias = choices.chance(8) ? `${choices.one(['a', 'b', '__c', 'id'])}: ` : ''
    const name = this.#wrong() ? choices.one([`${field.name}s`, 'secret', '__proto__']) : field.name
    const args = field.args.filter(({ type, defaultValue }) =>
      isNonNullType(type) && defaultValue === undefined ? !this.#wrong() : choices.chance(40),
    )
    const given = args.map(arg => `${arg.name}: ${this.#given(arg.type)}`)
    if (this.#wrong()) given.push(`${choices.one(['limit', 'id', 'first'])}: 1`)
    const type: GraphQLOutputType = getNamedType(field.type)
    const below = isCompositeType(type) ? this.#selection(type, depth + 1) : this.#wrong() ? '{ id }' : ''
    return `${alias}${name}${given.length > 0 ? `(${given.join(' ')})` : ''}${this.#directives()} ${below}`
  }

  #directives(): string {
    const choices = this.#choices
    if (this.#wrong())
      return ` ${choices.one(['@skip', '@include(if: 1)', '@deprecated', '@nothing', '@include(if: true) '.repeat(12), '@skip(if: $nothing)'])}`
    return choices.chance(4)
      ? ` @${choices.one(['include', 'skip'])}(if: ${this.#given(new GraphQLNonNull(GraphQLBoolean))})`
      : ''
  }

  /** An argument's value, written out or given as a variable. */
  #given(type: GraphQLInputType): string {
    const value = this.#value(type, 0)
    // A file can only be a variable.
    const isFile = getNamedType(type).name === 'Upload' && this.#mistakes === 0
    if (!isFile && !this.#choices.chance(50)) return literal(value)
    const name = `v${this.#declared.length}`
    const declared = this.#wrong() ? this.#choices.one(['Int', 'String!', 'Nothing', '[ID!]', 'Product']) : String(type)
    this.#declared.push(`$${name}: ${declared}${!isNonNullType(type) && this.#choices.chance(10) ? ' = null' : ''}`)
    if (!this.#wrong()) this.#variables[name] = plain(value)
    return this.#wrong() ? '$nothing' : `$${name}`
  }

  #junk(): unknown {
    return this.#choices.one(JUNK)
  }

  /** A value of a type. It need not mean anything to the shop. */
  #value(type: GraphQLInputType, depth: number): unknown {
    const choices = this.#choices
    if (this.#wrong()) return this.#junk()
    if (!isNonNullType(type) && choices.chance(10)) return null
    const bare = getNullableType(type)
    if (isListType(bare))
      return Array.from({ length: choices.one([1, 0, 2, 3, 60]) }, () => this.#value(bare.ofType, depth + 1))
    if (isEnumType(bare)) return new Name(choices.one(bare.getValues()).name)
    if (isInputObjectType(bare)) {
      const fields = Object.values(bare.getFields())
      if (bare.isOneOf) {
        const field = choices.one(fields)
        return { [field.name]: this.#value(field.type, depth + 1) }
      }
      return Object.fromEntries(
        fields
          .filter(field => (isNonNullType(field.type) && field.defaultValue === undefined) || choices.chance(40))
          .map(field => [field.name, this.#value(field.type, depth + 1)]),
      )
    }
    switch (bare.name) {
      case 'Int':
        return choices.one(INTS)
      case 'Float':
        return choices.one(NUMBERS)
      case 'Cents':
        return choices.one(NUMBERS.filter(Number.isSafeInteger))
      case 'Boolean':
        return choices.one([true, false])
      case 'DateTime':
        return choices.one(['2026-11-21T09:30:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'])
      case 'ID':
        return choices.chance(20) ? choices.one(TEXTS) : choices.one(this.#ids)
      default:
        return choices.one(TEXTS)
    }
  }
}

/** An enum's value: a word in a document, text in variables. */
class Name {
  readonly value: string

  constructor(value: string) {
    this.value = value
  }

  toJSON(): string {
    return this.value
  }
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function literal(value: unknown): string {
  if (value instanceof Name) return value.value
  if (Array.isArray(value)) return `[${value.map(literal).join(' ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, each]) => `${name}: ${literal(each)}`)
      .join(' ')}}`
  return JSON.stringify(value)
}
