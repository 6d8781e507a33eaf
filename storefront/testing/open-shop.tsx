import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApolloLink } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { SchemaLink } from '@apollo/client/link/schema'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type GraphQLSchema, OperationTypeNode, subscribe } from 'graphql'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { from, switchMap } from 'rxjs'
import { DEFAULT_DELIVERY } from '#schema/rules/delivery'
import { DEFAULT_POLICY } from '#schema/rules/pricing'
import { makeClient } from '../data/apollo.ts'
import { createRoutes } from '../app/routes.tsx'

const folder = join(import.meta.dirname, '../../schema')
const typeDefs = readdirSync(folder)
  .filter(file => file.endsWith('.graphql'))
  .map(file => readFileSync(join(folder, file), 'utf8'))

type Answers = Record<string, (args: never) => unknown>
type Streams = Record<string, (args: never) => AsyncIterable<unknown>>

/**
 * The whole storefront at an address, over an API that gives the test's answers. Its contract is the real one, so
 * an answer or a request that does not fit it fails the test.
 */
export function openShop(
  path: string,
  {
    queries = {},
    mutations = {},
    subscriptions = {},
  }: { queries?: Answers; mutations?: Answers; subscriptions?: Streams } = {},
) {
  const root = (answers: Answers) =>
    Object.fromEntries(
      Object.entries(answers).map(([field, answer]) => [field, (_: unknown, args: unknown) => answer(args as never)]),
    )
  const shop = () => ({
    name: 'Skein',
    currency: 'USD',
    pricingPolicy: DEFAULT_POLICY,
    delivery: { ...DEFAULT_DELIVERY, countryCode: 'US', today: '2026-11-20' },
    returnDays: 30,
    newsletterDiscount: 1500,
    announcement: null,
    signInProviders: [],
  })
  const Subscription = Object.fromEntries(
    Object.entries(subscriptions).map(([field, subscribe]) => [
      field,
      { subscribe: (_: unknown, args: unknown) => subscribe(args as never), resolve: (event: unknown) => event },
    ]),
  )
  const schema = makeExecutableSchema({
    typeDefs,
    resolvers: {
      Query: root({ shop, stash: () => [], bells: () => [], addresses: () => [], ...queries }),
      Mutation: root(mutations),
      Subscription,
    },
  })
  const client = makeClient(
    ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      streams(schema),
      new SchemaLink({ schema, validate: true }),
    ),
  )
  const router = createMemoryRouter(
    createRoutes(() => client),
    { initialEntries: [path] },
  )
  render(
    <ApolloProvider client={client}>
      <RouterProvider router={router} />
    </ApolloProvider>,
  )
  return {
    user: userEvent.setup(),
    /** Path and query of the page on screen. */
    address: () => router.state.location.pathname + router.state.location.search,
    hash: () => router.state.location.hash,
  }
}

function streams(schema: GraphQLSchema): ApolloLink {
  return new ApolloLink(({ query, variables }) =>
    from(Promise.resolve(subscribe({ schema, document: query, variableValues: variables }))).pipe(
      switchMap(source =>
        from(
          Symbol.asyncIterator in source ? (source as AsyncIterable<ApolloLink.Result>) : [source as ApolloLink.Result],
        ),
      ),
    ),
  )
}
