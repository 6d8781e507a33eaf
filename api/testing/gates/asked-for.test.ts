import { globSync, readFileSync } from 'node:fs'
import { Kind, parse, visit } from 'graphql'
import { expect, it } from 'vitest'

// No other check would notice a field that a page asks for and never uses: its type is right, and nobody sees it.

/** Fields whose names appear in no component, and the files that use them. */
const READ_ELSEWHERE: Record<string, string> = {
  flatShipping: 'schema/rules/pricing.ts',
  shippingPer100Grams: 'schema/rules/pricing.ts',
  stateName: 'schema/rules/pricing.ts',
  onShipping: 'schema/rules/pricing.ts',
  shippingCap: 'schema/rules/pricing.ts',
  taxBasisPoints: 'schema/rules/pricing.ts',
  reducedBasisPoints: 'schema/rules/pricing.ts',
  isReduced: 'schema/rules/returns.ts',
  giftCardsSold: 'schema/rules/returns.ts',
  street: 'schema/rules/delivery.ts',
  toSend: 'schema/rules/order-filters.ts',
  toDeliver: 'schema/rules/order-filters.ts',
  needsAttention: 'schema/rules/order-filters.ts',
  returnedQuantity: 'storefront/fulfilment/admin/ReturnForm.tsx',
}

it('every field that the storefront asks for is read by it, and by a shopper’s page where that asks', () => {
  const sources = globSync('storefront/**/*.{ts,tsx}', {
    exclude: path => /\/(?:generated|e2e|testing)$|\.gql\.ts$|\.test\.tsx?$/.test(path),
  })
  const everywhere = wordsIn(sources)
  const forShoppers = wordsIn(sources.filter(path => !isForAdmins(path)))
  const unread = globSync('storefront/**/*.graphql').flatMap(path =>
    plainFieldsIn(path)
      .filter(name => !(isForAdmins(path) ? everywhere : forShoppers).has(name))
      .map(name => ({ name, path })),
  )
  expect(unread.filter(({ name }) => !(name in READ_ELSEWHERE)).map(({ name, path }) => `${name} in ${path}`)).toEqual(
    [],
  )
  expect(Object.keys(READ_ELSEWHERE).filter(name => !unread.some(field => field.name === name))).toEqual([])
})

const isForAdmins = (path: string) => path.includes('/admin/')

/** Every word of these files, except in comments. */
const wordsIn = (paths: readonly string[]) =>
  new Set(
    paths.flatMap(
      path =>
        readFileSync(path, 'utf8')
          .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
          .match(/\w+/g) ?? [],
    ),
  )

/** The plain fields below the root fields, by the names under which the page reads them. */
function plainFieldsIn(path: string): string[] {
  const names: string[] = []
  visit(parse(readFileSync(path, 'utf8')), {
    Field({ name, alias, selectionSet }, _key, _parent, _path, ancestors) {
      const above = ancestors.flatMap(node => ('kind' in node ? node.kind : []))
      const isRoot = above.includes(Kind.OPERATION_DEFINITION) && !above.includes(Kind.FIELD)
      if (!selectionSet && !isRoot) names.push((alias ?? name).value)
    },
  })
  return names
}
