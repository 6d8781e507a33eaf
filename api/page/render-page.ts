import markdown from 'markdown-it'
import { currencyName } from '#schema/rules/currency'
import { formatCents, percent } from '#schema/rules/money'
import type { DeliveryTerms } from '#schema/rules/delivery'
import { countryWords } from '#schema/rules/destinations'
import { canShipFree, type PricingPolicy, type ShippingTerms } from '#schema/rules/pricing'
import { PAGE_FIGURES, type PageFigure, type ShopPageSlug } from '#schema/rules/shop-pages'
import type { Context } from '../context.ts'

/** The figures of the shop as they stand in one of its pages. */
export function figuresOf(
  {
    policy,
    delivery,
    stockHoldMinutes,
    returnDays,
    contact,
  }: Pick<Context, 'policy' | 'delivery' | 'stockHoldMinutes' | 'returnDays' | 'contact'>,
  slug: ShopPageSlug,
): Record<PageFigure, string> {
  return {
    'shop name': contact.name,
    'shop email': contact.email ?? (slug === 'contact' ? 'with the form below' : 'with the form on our contact page'),
    'shop address': contact.address ?? 'on request',
    currency: currencyName(),
    'ships to': delivery.shipsTo.length > 0 ? countryWords(delivery.shipsTo) : 'every country',
    'shipping terms': shippingWords(policy, delivery),
    'free shipping from': formatCents(policy.freeShippingFrom),
    'shipping price': chargeOf(policy),
    'tax terms': policy.taxIncluded
      ? `Prices and shipping have tax (${taxWords(policy)}) in them.`
      : `Tax (${taxWords(policy)} of the items${policy.taxRates.some(rate => rate.onShipping) ? ', in some places of shipping, too' : ''}) is added.`,
    'tax rate': taxWords(policy),
    'return days': String(returnDays),
    'hold minutes': String(stockHoldMinutes),
  }
}

const chargeOf = (terms: ShippingTerms) =>
  terms.shippingRate === 'FLAT'
    ? `${formatCents(terms.flatShipping)} an order`
    : `${formatCents(terms.shippingPer100Grams)} for each 100 g of yarn, ${formatCents(terms.shippingCap)} at most`

function termsWords(terms: ShippingTerms): string {
  if (terms.freeShippingFrom === 0) return 'shipping is on us'
  const free = canShipFree(terms) ? `, and on us from ${formatCents(terms.freeShippingFrom)} on` : ''
  return `shipping is ${chargeOf(terms)}${free}`
}

/** What parcels cost, in one sentence, or in two when other countries cost something else; and where orders can be picked up. */
function shippingWords(policy: PricingPolicy, delivery: DeliveryTerms): string {
  const parcels = parcelWords(policy, delivery)
  if (!delivery.pickup) return parcels
  const { street, city, hours } = delivery.pickup
  return `${parcels} Or pick your order up at ${street}, ${city}, for no shipping${hours ? `: we are open ${hours}` : ''}.`
}

function parcelWords(policy: PricingPolicy, { country, shipsTo }: DeliveryTerms): string {
  const [within, abroad] = [termsWords(policy), termsWords(policy.abroad)]
  const isAtHome = shipsTo.length === 1 && shipsTo[0] === country
  if (within === abroad || isAtHome) return `${within[0]?.toUpperCase()}${within.slice(1)}.`
  return `To ${countryWords([country])} ${within}. To any other country ${abroad}.`
}

function taxWords({ taxBasisPoints, taxRates }: PricingPolicy): string {
  const rates = [
    taxBasisPoints,
    ...taxRates.flatMap(({ basisPoints, reducedBasisPoints }) => [basisPoints, reducedBasisPoints ?? basisPoints]),
  ]
  const [least, most] = [percent(Math.min(...rates)), percent(Math.max(...rates))]
  return least === most ? least : `${least} to ${most}`
}

const BRACES = new RegExp(`\\{(${Object.keys(PAGE_FIGURES).join('|')})\\}`, 'g')
/** What Markdown would take for a mark of its own. */
const MARKS = /[\\`*_{}[\]()#+\-.!<>&|~]/g

const reader = markdown()

/** Markdown as HTML. Raw HTML in it shows as text, and no link or picture leads to a script: both are markdown-it's rule. */
export function renderPage(text: string, figures: Record<PageFigure, string>): string {
  return reader.render(text.replace(BRACES, (_, name: PageFigure) => figures[name].replace(MARKS, '\\$&'))).trim()
}
