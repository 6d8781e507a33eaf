import type { ApiScope } from '../../generated/types.ts'

/** The scopes as people read them. */
export const scopeWords: Record<ApiScope, string> = {
  READ_CATALOGUE: 'Read catalogue',
  READ_ORDERS: 'Read orders',
  WRITE_ORDERS: 'Write orders',
  FULFIL_ORDERS: 'Fulfil orders',
  REFUND_ORDERS: 'Refund orders',
  WRITE_STOCK: 'Change stock',
  WRITE_PRICES: 'Change prices',
  WRITE_PRODUCTS: 'Change products and prices',
  IMPORT_PRODUCTS: 'Import and export products',
  MODERATE_REVIEWS: 'Moderate reviews',
  MANAGE_DISCOUNTS: 'Manage discount codes',
  MANAGE_SEARCH: 'Manage searches',
  WRITE_PAGES: 'Change pages',
  READ_REPORTS: 'Read the dashboard',
  READ_CUSTOMERS: 'Read customers',
  WRITE_CUSTOMERS: 'Change customers',
  MANAGE_WEBHOOKS: 'Manage webhooks',
  ADMIN: 'Everything',
}

export const scopes = Object.keys(scopeWords) as ApiScope[]

const NOTHING_YET = 'Nothing, as long as the account is no administrator’s.'

const everyones: Record<ApiScope, string> = {
  READ_CATALOGUE: 'See the shop, its products and reviews, and what a cart costs.',
  READ_ORDERS: 'See the orders of its account.',
  WRITE_ORDERS: 'Place and pay orders for its account.',
  FULFIL_ORDERS: NOTHING_YET,
  REFUND_ORDERS: NOTHING_YET,
  WRITE_STOCK: NOTHING_YET,
  WRITE_PRICES: NOTHING_YET,
  WRITE_PRODUCTS: NOTHING_YET,
  IMPORT_PRODUCTS: NOTHING_YET,
  MODERATE_REVIEWS: NOTHING_YET,
  MANAGE_DISCOUNTS: NOTHING_YET,
  MANAGE_SEARCH: NOTHING_YET,
  WRITE_PAGES: NOTHING_YET,
  READ_REPORTS: NOTHING_YET,
  READ_CUSTOMERS: NOTHING_YET,
  WRITE_CUSTOMERS: NOTHING_YET,
  MANAGE_WEBHOOKS: NOTHING_YET,
  ADMIN: 'Do whatever its account may do.',
}
const administrators: Record<ApiScope, string> = {
  READ_CATALOGUE: everyones.READ_CATALOGUE,
  READ_ORDERS: 'See the orders of all shoppers, because the account is an administrator’s.',
  WRITE_ORDERS: 'Place and pay orders, take them for customers, and send and deliver those of all shoppers.',
  FULFIL_ORDERS: 'Pack, send and deliver the orders of all shoppers, and write notes on them.',
  REFUND_ORDERS:
    'Write down money that the shop took itself, give money back, release what unpaid orders hold, and settle what needs a person about an order.',
  WRITE_STOCK: 'Change stocks, many at a time, and nothing else of products.',
  WRITE_PRICES: 'Change prices, many at a time, and nothing else of products.',
  WRITE_PRODUCTS:
    'See, make, change and remove products, drafts too, with their prices, stocks and notes, and collections.',
  IMPORT_PRODUCTS: 'Bring products in from spreadsheets, and take all of them out.',
  MODERATE_REVIEWS: 'See all reviews, hidden ones too, and hide, restore and answer them.',
  MANAGE_DISCOUNTS: 'Make, pause and end discount codes.',
  MANAGE_SEARCH: 'See what people search for, and write synonyms.',
  WRITE_PAGES:
    'Write the shop’s own pages, such as the one on shipping and returns, and what is said above all of them.',
  READ_REPORTS: 'See reports on tax and the dashboard’s figures, which take reading orders, too.',
  READ_CUSTOMERS: 'See the names and addresses for email of all accounts, and who gets the newsletter.',
  WRITE_CUSTOMERS: 'See accounts, write notes on them, and change and close those of shoppers.',
  MANAGE_WEBHOOKS: 'Make and change webhooks, and read all that happens in the shop.',
  ADMIN: 'Do whatever an administrator may do: change products, refund orders, delete users.',
}

/** What a scope lets a key do that acts for such an account. */
export const scopeMeaning = (scope: ApiScope, { isAdmin }: { isAdmin: boolean }) =>
  (isAdmin ? administrators : everyones)[scope]

/** "Read orders, write orders", from the scopes' technical names, which the audit log keeps. */
export function scopesInWords(text: string, words: Partial<Record<string, string>> = scopeWords): string {
  const said = text
    .split(' ')
    .map(scope => words[scope] ?? scope)
    .join(', ')
  return said.charAt(0) + said.slice(1).toLowerCase()
}

/** A query that a key with these scopes may ask. */
export function exampleQuery(granted: readonly ApiScope[]): string {
  const may = (scope: ApiScope) => granted.includes(scope) || granted.includes('ADMIN')
  if (may('READ_CATALOGUE')) return '{ products { total items { name price } } }'
  if (may('READ_ORDERS')) return '{ myOrders { reference status } }'
  return '{ __typename }'
}
