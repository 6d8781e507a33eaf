import { type DocumentNode, Kind, parse, print as printed, visit } from 'graphql'
import { expect, test } from 'vitest'
import { print } from './print.ts'

const modules = import.meta.glob<Record<string, unknown>>('../**/*.gql.ts', { eager: true })
const documents = Object.values(modules)
  .flatMap(module => Object.values(module) as DocumentNode[])
  .filter(({ kind }) => kind === Kind.DOCUMENT)

test('every operation of the storefront means the same as GraphQL’s own printer writes it', () => {
  expect(documents.length).toBeGreaterThan(100)
  for (const document of documents) expect(printed(parse(print(document)))).toBe(printed(document))
})

test('no operation of the storefront has directives whose meaning browsers do not load', () => {
  const names = new Set<string>()
  for (const document of documents) visit(document, { Directive: ({ name }) => void names.add(name.value) })
  expect([...names].filter(name => !['include', 'skip'].includes(name))).toEqual([])
})

test.each([
  '{ shop { returnDays } }',
  'query Many($id: ID! = "1", $ids: [ID!]! = [], $by: By @deprecated, $filter: Filter = { kind: [YARN, HOOK], price: { from: -1.5e3 } }) @live(rate: 2) { a }',
  'mutation Save { save(input: { text: "say \\"hi\\" \\\\ \\n\\t\\u0007 é 🧶", on: true, at: null, how: LOUD, n: 1, f: 1.5, list: [[1, 2], []] }) { id } }',
  'query Parts { first: item(n: 1) @include(if: true) { ...Part @skip(if: false) ... on Thing @defer(label: "a") { id } ... { b } ... @include(if: true) { c } } } fragment Part on Thing @own { d }',
  'subscription Told { told { id } }',
])('%s', text => {
  const document = parse(text)
  expect(printed(parse(print(document)))).toBe(printed(document))
})

test('a text of several lines is written on one', () => {
  expect(print(parse('{ a(text: """of "several"\nlines""") }'))).toBe('query {a(text:"of \\"several\\"\\nlines")}')
})
