import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  type GraphQLEnumType,
  type GraphQLObjectType,
} from 'graphql'
import { getMetadataStorage } from 'type-graphql'
import { describe, expect, it } from 'vitest'
import { decorated, schema } from '../../schema.ts'
import { rootFields, refusalsInProse } from './operations.ts'

/** Anyone may call these; everything else checks who is calling. A new operation belongs to one of the two. */
const PUBLIC = [
  'Query.shop',
  'Query.node',
  'Query.nodes',
  'Query.productsConnection',
  'Query.paypalConfig',
  'Query.pages',
  'Query.page',
  'Query.products',
  'Query.topRatedProducts',
  'Query.wallOfColour',
  'Query.customersAlsoViewed',
  'Query.product',
  'Query.discontinuedProduct',
  'Query.productGroup',
  'Query.quoteCart',
  'Query.cart',
  'Query.categories',
  'Query.collection',
  'Query.collections',
  'Query.searchSuggestions',
  'Query.viewer',
  'Mutation.register',
  'Mutation.login',
  'Mutation.signInWithProvider',
  'Mutation.logout',
  'Mutation.requestPasswordReset',
  'Mutation.resetPassword',
  'Mutation.subscribeToNewsletter',
  'Mutation.sendMessage',
  'Mutation.confirmNewsletter',
  'Mutation.unsubscribeFromNewsletter',
  'Mutation.addBell',
  'Mutation.confirmBell',
  'Mutation.stopBells',
  'Mutation.noteSearchClick',
  'Mutation.createCart',
  // Needs the cart's id, or works on the caller's own cart.
  'Mutation.changeCart',
  // Guests may order, with an email address.
  'Mutation.placeOrder',
]

const ROOTS = ['Query', 'Mutation', 'Subscription'] as const
const operations = ROOTS.flatMap(root => rootFields(root).map(field => ({ name: `${root}.${field.name}`, field })))
const types = Object.values(schema.getTypeMap()).filter(
  type => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
)

describe('the contract is served in full', () => {
  it('every root field has a resolver', () => {
    expect(operations.length).toBeGreaterThan(25)
    expect(operations.filter(({ field }) => !field.resolve).map(({ name }) => name)).toEqual([])
  })

  it('the decorators promise what the SDL says, field by field and argument by argument', () => {
    const signatures = (type: GraphQLObjectType) =>
      Object.values(type.getFields()).map(
        field =>
          `${type.name}.${field.name}(${field.args
            .map(arg => `${arg.name}: ${arg.type}`)
            .toSorted()
            .join(', ')}): ${field.type}`,
      )
    const promised = Object.values(decorated.getTypeMap())
      .filter(isObjectType)
      .filter(type => !type.name.startsWith('__'))
      .flatMap(signatures)
    const written = types.filter(isObjectType).flatMap(signatures)
    expect(promised.filter(signature => !written.includes(signature))).toEqual([])
    expect(promised).toEqual(
      expect.arrayContaining(
        operations.map(({ name, field }) =>
          expect.stringMatching(new RegExp(`^${name}\\(.*\\): ${String(field.type).replace(/[[\]]/g, '\\$&')}$`)),
        ),
      ),
    )
  })
})

describe('access', () => {
  const { queries, mutations, subscriptions } = getMetadataStorage()
  const roles = new Map(
    [
      ...queries.map(each => ['Query', each] as const),
      ...mutations.map(each => ['Mutation', each] as const),
      ...subscriptions.map(each => ['Subscription', each] as const),
    ].map(([root, each]) => [`${root}.${each.schemaName}`, each.roles]),
  )

  it('is guarded on every operation that is not public', () => {
    expect(
      operations
        .filter(({ name }) => !roles.get(name))
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(PUBLIC.toSorted())
  })

  it('that the contract gives to administrators only is guarded by that role, and no other is', () => {
    const promised = operations
      .filter(({ field }) => field.description?.includes('Administrators only.'))
      .map(({ name }) => name)
    expect(promised).toContain('Query.orders')
    expect(
      [...roles]
        .filter(([, each]) => each?.includes('ADMIN'))
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(promised.toSorted())
  })
})

describe('the contract explains', () => {
  it('every type', () => {
    expect(
      types
        .filter(({ name, description }) => !description && name !== 'Query' && name !== 'Mutation')
        .map(({ name }) => name),
    ).toEqual([])
  })

  it('every field, argument and value', () => {
    const members = types.flatMap(type => {
      if (isEnumType(type))
        return type.getValues().map(({ name, description }) => ({ name: `${type.name}.${name}`, description }))
      if (isInputObjectType(type))
        return Object.values(type.getFields()).map(({ name, description }) => ({
          name: `${type.name}.${name}`,
          description,
        }))
      if (!isObjectType(type) && !isInterfaceType(type)) return []
      return Object.values(type.getFields()).flatMap(field => [
        { name: `${type.name}.${field.name}`, description: field.description },
        ...field.args.map(({ name, description }) => ({ name: `${type.name}.${field.name}(${name})`, description })),
      ])
    })
    expect(members.length).toBeGreaterThan(500)
    expect(members.filter(({ description }) => !description).map(({ name }) => name)).toEqual([])
  })

  it('what each change may be refused for, and every code by a change that may be', () => {
    const codes = (schema.getType('UserErrorCode') as GraphQLEnumType).getValues().map(({ name }) => name)
    const refusals = rootFields('Mutation')
      .filter(({ type }) => getNamedType(type).name.endsWith('Payload'))
      .map(field => [field.name, refusalsInProse(field)] as const)
    // Every change can be refused for some reason.
    expect(refusals.filter(([, each]) => each.length === 0).map(([name]) => name)).toEqual([])
    expect(refusals.flatMap(([, each]) => each).filter(code => !codes.includes(code))).toEqual([])
    expect(codes.filter(code => !refusals.some(([, each]) => each.includes(code)))).toEqual([])
  })

  it('its own scalars', () => {
    expect(
      types
        .filter(isScalarType)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['Cents', 'DateTime', 'Upload'])
  })
})
