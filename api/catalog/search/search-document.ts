import type { FibreName } from '#schema/rules/facts/shelf-names'
import { factsOf, sizesIn, type BandTexts, type ProductFacts } from '#schema/rules/facts/product-facts'
import { joinedWordsOf, wordsOf } from './words.ts'

/** The words of a product by how much they say about it: A its name, B what it is, C its figures, D its description. */
export interface SearchDocument {
  a: string
  b: string
  c: string
  d: string
}

const KIND_WORDS = {
  YARN: 'yarn',
  NEEDLES: 'needles knitting needles',
  HOOK: 'crochet hooks',
  KIT: 'kit',
  PATTERN: 'pattern',
  NOTION: 'notion accessory',
  GIFT_CARD: 'gift card voucher certificate',
} as const
const WOOLS: readonly FibreName[] = ['MERINO', 'SHETLAND', 'BLUEFACED_LEICESTER', 'CORRIEDALE', 'ROMNEY', 'WOOL']
const isTool = ({ kind }: ProductFacts) => kind === 'NEEDLES' || kind === 'HOOK'

export function searchDocumentOf(product: BandTexts & { sku: string }, facts = factsOf(product)): SearchDocument {
  const { name, description, weight, length, gauge, knittingNeedle, crochetHook, recommendedCare, content, category } =
    product
  const sizes = [...sizesIn(facts.needles), ...sizesIn(facts.hooks)].map(size => `${size}mm`).join(' ')
  const fibres = facts.fibres.flatMap(({ fibre }) =>
    fibre === null ? [] : [fibre.replaceAll('_', ' '), ...(WOOLS.includes(fibre) ? ['wool'] : [])],
  )
  const care = [facts.superwash && 'superwash', facts.washing === 'MACHINE' && 'machine washable']
  return {
    a: words(name, product.sku, isTool(facts) ? `${sizes} ${knittingNeedle} ${crochetHook}` : ''),
    b: words(category, content, facts.kind ? KIND_WORDS[facts.kind] : ''),
    c: words(
      ...fibres,
      ...facts.colourFamilies,
      ...care.filter(each => each !== false && each !== null),
      weight,
      length,
      gauge,
      recommendedCare,
      isTool(facts) ? '' : `${sizes} ${knittingNeedle} ${crochetHook}`,
    ),
    d: words(description),
  }
}

/** One field after the other, far apart for phrases; joined words come behind, where they are in no phrase's way. */
function words(...texts: string[]): string {
  return [...texts.flatMap(wordsOf), ...texts.flatMap(joinedWordsOf)].join(' ')
}
