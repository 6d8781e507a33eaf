import type { EntityManager } from '@mikro-orm/postgresql'
import {
  COLOUR_FAMILIES,
  colourLabel,
  fibreLabel,
  FIBRES,
  KIND_LABELS,
  KINDS,
  WEIGHT_CLASS_LABELS,
  WEIGHT_CLASSES,
} from '#schema/rules/facts/shelf-names'
import { readWeightClass } from '#schema/rules/facts/weight-class'
import { limits } from '#schema/rules/limits'
import { valueAt } from '#schema/rules/present'
import type { SuggestedTerm } from '../../generated/types.ts'
import type { Product } from '../product.entity.ts'
import { productsAt } from '../list-products.ts'
import type { FacetIndex } from './facet-index.ts'
import { firstMatches } from './find-products.ts'
import { wordsOf } from './words.ts'

const MOST_PRODUCTS = 5
const MOST_TERMS = 6

export interface Suggestions {
  products: Product[]
  terms: SuggestedTerm[]
  correction: string | null
}

/** What to offer below a search box with these letters in it. */
export async function suggest(em: EntityManager, index: FacetIndex, typed: string): Promise<Suggestions> {
  const text = typed.trim()
  if (text === '' || text.length > limits.keyword || text.includes('\0'))
    return { products: [], terms: [], correction: null }
  await index.hear(em)
  const { places, corrected } = await firstMatches(em, index, text, MOST_PRODUCTS)
  const products = await productsAt(em, places.slice(0, MOST_PRODUCTS))
  return {
    products,
    terms: suggestTerms(index, text),
    correction: products.length > 0 ? corrected : null,
  }
}

const FIXED: SuggestedTerm[] = [
  ...KINDS.map(value => ({ label: KIND_LABELS[value], field: 'KIND' as const, value })),
  ...WEIGHT_CLASSES.map(value => ({ label: WEIGHT_CLASS_LABELS[value], field: 'WEIGHT_CLASS' as const, value })),
  ...FIBRES.map(value => ({ label: fibreLabel(value), field: 'FIBRE' as const, value })),
  ...COLOUR_FAMILIES.map(value => ({ label: colourLabel(value), field: 'COLOUR' as const, value })),
]

/** Names of shelves that have products; those that begin with the whole text before those that begin with its last word. */
function suggestTerms(index: FacetIndex, text: string): SuggestedTerm[] {
  const words = wordsOf(text)
  const last = words.at(-1)
  if (!last) return []
  const weight = readWeightClass(text)
  const held = index.held()
  const categories = [...valueAt(held, 'CATEGORY')]
    .toSorted()
    .map(value => ({ label: value, field: 'CATEGORY' as const, value }))
  const isSaid = new Set(FIXED.map(({ label }) => label.toLowerCase()))
  const ranked = [...FIXED, ...categories.filter(({ label }) => !isSaid.has(label.toLowerCase()))].flatMap(term => {
    const label = wordsOf(term.label)
    const begins =
      label.join(' ').startsWith(words.join(' ')) || (weight !== null && term.value === WEIGHT_CLASSES[weight])
    return begins ? [{ term, rank: 0 }] : label.some(word => word.startsWith(last)) ? [{ term, rank: 1 }] : []
  })
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ term }) => term)
    .filter(({ field, value }) => held.get(field)?.has(value))
    .slice(0, MOST_TERMS)
}
