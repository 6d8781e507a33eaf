import markdown from 'markdown-it'
import { currencyName } from '#schema/rules/currency'
import { formatCents } from '#schema/rules/money'
import { PAGE_FIGURES, type PageFigure, type ShopPageSlug } from '#schema/rules/shop-pages'
import type { Context } from '../context.ts'

/** The figures of the shop as they stand in one of its pages. */
export function figuresOf(
  {
    policy,
    stockHoldMinutes,
    returnDays,
    contact,
  }: Pick<Context, 'policy' | 'stockHoldMinutes' | 'returnDays' | 'contact'>,
  slug: ShopPageSlug,
): Record<PageFigure, string> {
  return {
    'shop name': contact.name,
    'shop email': contact.email ?? (slug === 'contact' ? 'with the form below' : 'with the form on our contact page'),
    'shop address': contact.address ?? 'on request',
    currency: currencyName(),
    'free shipping from': formatCents(policy.freeShippingFrom),
    'shipping price':
      policy.shippingRate === 'FLAT'
        ? `${formatCents(policy.flatShipping)} an order`
        : `${formatCents(150)} for each 100 g of yarn, ${formatCents(policy.shippingCap)} at most`,
    'tax rate': `${policy.taxBasisPoints / 100}%`,
    'return days': String(returnDays),
    'hold minutes': String(stockHoldMinutes),
  }
}

const BRACES = new RegExp(`\\{(${Object.keys(PAGE_FIGURES).join('|')})\\}`, 'g')
/** What Markdown would take for a mark of its own. */
const MARKS = /[\\`*_{}[\]()#+\-.!<>&|~]/g

const reader = markdown()

/** Markdown as HTML. Raw HTML in it shows as text, and no link or picture leads to a script: both are markdown-it's rule. */
export function renderPage(text: string, figures: Record<PageFigure, string>): string {
  return reader.render(text.replace(BRACES, (_, name: PageFigure) => figures[name].replace(MARKS, '\\$&'))).trim()
}
