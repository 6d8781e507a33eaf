// @vitest-environment node
import { ApolloLink } from '@apollo/client'
import { type DocumentNode, Kind, OperationTypeNode, parse, type TypeNode } from 'graphql'
import { firstValueFrom, of } from 'rxjs'
import { expect, it } from 'vitest'
import { madeUpAnswers } from '../testing/made-up-answers.ts'
import { ShopCache } from './cache.ts'
import { ServerClient } from './server-client.ts'

const modules = import.meta.glob<Record<string, unknown>>('../**/*.gql.ts', { eager: true })
const queries = Object.values(modules)
  .flatMap(module => Object.values(module) as DocumentNode[])
  .filter(({ kind }) => kind === Kind.DOCUMENT)
  .flatMap(document => {
    const operation = document.definitions.find(node => node.kind === Kind.OPERATION_DEFINITION)
    return operation?.operation === OperationTypeNode.QUERY ? { document, operation } : []
  })

const VALUES: Record<string, unknown> = { ID: '1', String: 'wool', Int: 2, Float: 1.5, Boolean: true, Cents: 5 }
const valueOf = (type: TypeNode): unknown =>
  type.kind === Kind.NON_NULL_TYPE ? valueOf(type.type) : type.kind === Kind.LIST_TYPE ? [] : VALUES[type.name.value]

it('tells the browser what Apollo’s own cache would hold', async () => {
  const client = new ServerClient(madeUpAnswers())
  const cache = new ShopCache({ keepMs: Infinity })
  const link = madeUpAnswers()
  let compared = 0
  for (const { document, operation } of queries) {
    const variables = Object.fromEntries(
      (operation.variableDefinitions ?? []).map(({ variable, type }) => [variable.name.value, valueOf(type)]),
    )
    const query = cache.transformDocument(document)
    const { data, errors } = await firstValueFrom(ApolloLink.execute(link, { query, variables }, { client }))
    // Skips operations whose variables need more than these generated values.
    if (errors || !data) continue
    const [own, apollos] = [new ServerClient(link), new ShopCache({ keepMs: Infinity })]
    await own.query({ query: document, variables })
    apollos.writeQuery({ query, variables, data: data as object })
    expect(own.extract(), operation.name?.value).toEqual(apollos.extract())
    compared++
  }
  expect(compared).toBeGreaterThan(60)
})

it('works out on the server what a document asks for once, and not for every page', async () => {
  const sent: DocumentNode[] = []
  const link = new ApolloLink(({ query }) => {
    sent.push(query)
    return of({ data: { product: { __typename: 'Product', id: '1', name: 'Merino' } } })
  })
  const query = parse('query Product($id: ID!) { product(id: $id) { id name } }')
  for (let page = 0; page < 2; page++) await new ServerClient(link).query({ query, variables: { id: '1' } })
  expect(sent).toHaveLength(2)
  expect(sent[0]).toBe(sent[1])
})
