import { globSync, readFileSync } from 'node:fs'
import { isInputObjectType, isObjectType, Kind, parse, type FieldNode, type SelectionNode } from 'graphql'
import { describe, expect, it } from 'vitest'
import { factsOf } from '#schema/rules/facts/product-facts'
import { columns } from '../../catalog/import/columns.ts'
import { FEED } from '../../catalog/product-feed.ts'
import { Product } from '../../catalog/product.entity.ts'
import { PLACEHOLDER } from '../../catalog/save-product.ts'
import { searchDocumentOf } from '../../catalog/search/search-document.ts'
import { product as restBody } from '../../rest/bodies.ts'
import { schema } from '../../schema.ts'

// A new field of a product belongs in many places, and no other check would miss it in most of them. Here each place either
// has the field or lists it as left out.

/** How the shop keeps a product, and what belongs to the shop alone: other tests cover these. */
const NO_FACTS =
  words(`id note tags externalIds group pictures downloads isDownload isGiftCard colours compareAtPrice onSaleUntil sale keptByLot lots
  soldOutLots reviewSummary viewerReview bellsWaiting preordered isDraft version createdAt updatedAt goesWith
  facts facts.metresPer100g facts.corrected`)

const READ_FROM_TEXTS = words(`facts.kind facts.weightClass facts.grams facts.metres facts.pricePer100m facts.fibres
  facts.washing facts.superwash facts.stitches facts.rows facts.needles facts.hooks facts.colourFamilies`)
const COUNTED = ['rating', 'numReviews']

interface Teller {
  where: string
  tells: readonly string[]
  leavesOut: readonly string[]
}

const TELLERS: Teller[] = [
  {
    where: 'the product’s page (storefront/catalog/FactBand.graphql and ProductPage.graphql)',
    tells: asked('storefront', 'ProductPage'),
    // The band shows these as words.
    leavesOut: words('facts.fibres facts.superwash facts.colourFamilies'),
  },
  {
    where: 'the form (storefront/catalog/admin/ProductEdit.graphql)',
    tells: asked('storefront', 'EditedProduct'),
    leavesOut: [...COUNTED, 'facts.pricePer100m'],
  },
  { where: 'ProductInput', tells: takenBy('ProductInput'), leavesOut: [...COUNTED, ...READ_FROM_TEXTS] },
  { where: 'ProductPatch', tells: takenBy('ProductPatch'), leavesOut: [...COUNTED, ...READ_FROM_TEXTS] },
  {
    where: 'ProductLineInput',
    tells: takenBy('ProductLineInput'),
    leavesOut: ['image', 'countInStock', 'expectedOn', ...COUNTED, ...READ_FROM_TEXTS],
  },
  {
    where: 'spreadsheets (api/catalog/import/columns.ts)',
    tells: ['sku', ...columns.map(({ field }) => field)],
    leavesOut: [...COUNTED, ...READ_FROM_TEXTS],
  },
  {
    where: 'what REST answers (api/rest/operations.graphql)',
    tells: asked('api/rest', 'Product'),
    leavesOut: ['sku', ...READ_FROM_TEXTS],
  },
  {
    where: 'what REST takes (api/rest/bodies.ts)',
    tells: Object.keys(restBody.shape).map(name =>
      name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    ),
    leavesOut: ['sku', ...COUNTED, ...READ_FROM_TEXTS],
  },
  { where: 'agents (api/ucp/operations.graphql)', tells: asked('api/ucp', 'UcpVariant'), leavesOut: ['reducedTax'] },
  {
    where: 'words for the search (api/catalog/search/search-document.ts)',
    tells: readBy(product => searchDocumentOf(product, product.facts)),
    leavesOut:
      words(`image price countInStock expectedOn reducedTax rating numReviews facts.weightClass facts.grams facts.metres
      facts.pricePer100m facts.stitches facts.rows`),
  },
  {
    where: 'merchants’ feed (api/catalog/product-feed.ts)',
    tells: readBy(product => Object.values(FEED).map(column => column(product, '', ''))).map(field =>
      field === 'listPrice' ? 'price' : field,
    ),
    leavesOut:
      words(`weight length gauge knittingNeedle crochetHook recommendedCare content reducedTax rating numReviews facts.kind
      facts.weightClass facts.metres facts.pricePer100m facts.washing facts.superwash facts.stitches facts.rows
      facts.needles facts.hooks`),
  },
]

const FIELDS = [...fieldsOf('Product'), ...fieldsOf('ProductFacts').map(field => `facts.${field}`)]
const FACTS = FIELDS.filter(field => !NO_FACTS.includes(field))

describe('a fact of a product', () => {
  it.each(TELLERS)('is told by $where, or left out on purpose', ({ where, tells, leavesOut }) => {
    expect(
      FACTS.filter(fact => !tells.includes(fact) && !leavesOut.includes(fact)),
      `neither told nor left out by ${where}`,
    ).toEqual([])
    expect(leavesOut.filter(fact => tells.includes(fact) || !FACTS.includes(fact))).toEqual([])
  })

  it('is every field without arguments, but for those that are named', () => {
    expect(NO_FACTS.filter(field => !FIELDS.includes(field))).toEqual([])
  })
})

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

function fieldsOf(name: string): string[] {
  const type = schema.getType(name)
  if (!isObjectType(type)) throw new Error(`${name} is no type`)
  return Object.values(type.getFields()).flatMap(field => (field.args.length > 0 ? [] : [field.name]))
}

function takenBy(input: string): string[] {
  const type = schema.getType(input)
  if (!isInputObjectType(type)) throw new Error(`${input} is no input`)
  return Object.keys(type.getFields())
}

/** The fields that a query of one product, or a fragment on a product, asks for, including those of the fragments it uses. */
function asked(folder: string, name: string): string[] {
  const documents = globSync(`${folder}/**/*.graphql`).flatMap(file => parse(readFileSync(file, 'utf8')).definitions)
  const selectionsOf = (kind: Kind.OPERATION_DEFINITION | Kind.FRAGMENT_DEFINITION) =>
    documents.flatMap(definition =>
      definition.kind === kind ? [[definition.name?.value, definition.selectionSet.selections] as const] : [],
    )
  const definitions = new Map([...selectionsOf(Kind.OPERATION_DEFINITION), ...selectionsOf(Kind.FRAGMENT_DEFINITION)])
  const fieldsIn = (selections: readonly SelectionNode[]): FieldNode[] =>
    selections.flatMap(selection => {
      if (selection.kind === Kind.FIELD) return [selection]
      if (selection.kind === Kind.FRAGMENT_SPREAD) return fieldsIn(definitions.get(selection.name.value) ?? [])
      return fieldsIn(selection.selectionSet.selections)
    })
  const inside = (field: FieldNode) => fieldsIn(field.selectionSet?.selections ?? [])
  return fieldsIn(definitions.get(name) ?? [])
    .flatMap(field => (field.name.value === 'product' ? inside(field) : [field]))
    .flatMap(field =>
      field.name.value === 'facts' ? inside(field).map(fact => `facts.${fact.name.value}`) : [field.name.value],
    )
}

/** The fields of a product that a function reads. */
function readBy(look: (product: Product) => unknown): string[] {
  const read: string[] = []
  const watched = <Thing extends object>(thing: Thing, prefix = ''): Thing =>
    new Proxy(thing, {
      get(target, field) {
        read.push(`${prefix}${String(field)}`)
        const value: unknown = Reflect.get(target, field)
        return field === 'facts' ? watched(value as object, 'facts.') : value
      },
    })
  const product: Product = Object.assign(Object.create(Product.prototype) as Product, {
    ...PLACEHOLDER,
    id: '',
    sku: '',
    storedPictures: [],
    factCorrections: {},
    storedFacts: factsOf(PLACEHOLDER),
  })
  look(watched(product))
  return read
}
