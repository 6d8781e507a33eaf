/**
 * The pages a shop must have, in the order of footer and sitemap: the end of each address, and its title until the
 * owner changes it.
 */
export const SHOP_PAGES = [
  { slug: 'shipping-and-returns', label: 'Shipping and returns' },
  { slug: 'contact', label: 'Contact' },
  { slug: 'about', label: 'About us' },
  { slug: 'privacy', label: 'Privacy' },
  { slug: 'terms', label: 'Terms' },
  { slug: 'accessibility', label: 'Accessibility' },
] as const

export type ShopPageSlug = (typeof SHOP_PAGES)[number]['slug']

/** Placeholders for the shop's own figures in a page's text: `{free shipping from}`. */
export const PAGE_FIGURES = {
  'shop name': 'what the shop is called',
  'shop email': 'where people write to',
  'shop address': 'the postal address',
  currency: 'what prices are in',
  'ships to': 'the countries parcels go to',
  'shipping terms': 'what shipping costs, in sentences',
  'free shipping from': 'the amount from which shipping is free',
  'shipping price': 'how shipping below it is charged',
  'tax terms': 'what tax is, and whether prices have it in them, in a sentence',
  'tax rate': 'the rate of tax',
  'return days': 'how many days after a parcel has come things can be sent back',
  'hold minutes': 'how long an order that is being paid keeps its stock',
} as const

export type PageFigure = keyof typeof PAGE_FIGURES
