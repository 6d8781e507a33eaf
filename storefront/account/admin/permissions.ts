import type { ApiScope } from '../../generated/types.ts'
import type { Choice } from '../../ui/ChoiceList.tsx'
import { scopeMeaning, scopesInWords, scopeWords } from '../../partner/admin/scopes.ts'
import { may } from '../may.ts'
import type { UserInfo } from '../session.ts'

interface Permission {
  value: ApiScope
  group: string
  label: string
  detail: string
  /** What it is of no use without. */
  with?: ApiScope
}

/** What an owner can let somebody do, in an owner's words. Scopes that help programs alone are not among them. */
const PERMISSIONS: readonly Permission[] = [
  {
    value: 'ADMIN',
    group: 'The shop',
    label: 'Everything',
    detail: 'Partners, the audit log and other administrators, too.',
  },
  {
    value: 'READ_REPORTS',
    group: 'The shop',
    label: 'See the dashboard',
    detail: 'What the shop earns, what sells, what runs low, and what tax is due.',
    with: 'READ_ORDERS',
  },
  {
    value: 'WRITE_PAGES',
    group: 'The shop',
    label: 'Write pages',
    detail: 'Shipping and returns, about the shop, and the like, and the announcement above all pages.',
  },
  {
    value: 'READ_ORDERS',
    group: 'Orders',
    label: 'See orders',
    detail: 'Everyone’s, with names and addresses, and packing slips.',
  },
  {
    value: 'FULFIL_ORDERS',
    group: 'Orders',
    label: 'Pack and send orders',
    detail: 'Parcels, deliveries and what comes back; notes on orders.',
    with: 'READ_ORDERS',
  },
  {
    value: 'WRITE_ORDERS',
    group: 'Orders',
    label: 'Take orders',
    detail: 'Of customers who call, write or come by; packs and sends orders, too.',
    with: 'READ_ORDERS',
  },
  {
    value: 'REFUND_ORDERS',
    group: 'Orders',
    label: 'Take and give back money',
    detail: 'What is paid at the shop, refunds, stock that unpaid orders hold, and what needs attention.',
    with: 'READ_ORDERS',
  },
  {
    value: 'WRITE_PRODUCTS',
    group: 'Products',
    label: 'Change products',
    detail: 'Texts, pictures, prices, sales and stock; drafts, too, and collections.',
  },
  {
    value: 'IMPORT_PRODUCTS',
    group: 'Products',
    label: 'Import and export products',
    detail: 'Spreadsheets that change many at a time.',
    with: 'WRITE_PRODUCTS',
  },
  {
    value: 'MANAGE_SEARCH',
    group: 'Products',
    label: 'Improve searches',
    detail: 'What people search for, and synonyms.',
  },
  {
    value: 'READ_CUSTOMERS',
    group: 'Customers',
    label: 'See customers',
    detail: 'Names and email addresses of all accounts, and the newsletter’s list.',
  },
  {
    value: 'WRITE_CUSTOMERS',
    group: 'Customers',
    label: 'Change customers',
    detail: 'Change and delete shoppers’ accounts; notes on them.',
    with: 'READ_CUSTOMERS',
  },
  {
    value: 'MODERATE_REVIEWS',
    group: 'Customers',
    label: 'Moderate reviews',
    detail: 'Hide, restore and answer them.',
  },
  {
    value: 'MANAGE_DISCOUNTS',
    group: 'Customers',
    label: 'Make discount codes',
    detail: 'And pause and end them.',
  },
]

/** What can be chosen, and what a program has given besides. */
export function permissionChoices(given: readonly ApiScope[], chosen: readonly ApiScope[]): Choice<ApiScope>[] {
  const others = given.filter(scope => !PERMISSIONS.some(({ value }) => value === scope))
  return [
    ...PERMISSIONS,
    ...others.map(value => ({
      value,
      group: 'For programs',
      label: scopeWords[value],
      detail: scopeMeaning(value, { isAdmin: true }),
    })),
  ].map(({ value, group, label, detail }) => ({
    value,
    group,
    label,
    detail,
    implied: value !== 'ADMIN' && (chosen.includes('ADMIN') || bringing(value).some(each => chosen.includes(each))),
  }))
}

const bringing = (scope: ApiScope) => PERMISSIONS.filter(each => each.with === scope).map(({ value }) => value)

/** With what each is of no use without. */
export const withImplied = (chosen: readonly ApiScope[]): ApiScope[] => [
  ...new Set(chosen.flatMap(scope => [PERMISSIONS.find(({ value }) => value === scope)?.with ?? scope, scope])),
]

const labels = { ...scopeWords, ...Object.fromEntries(PERMISSIONS.map(({ value, label }) => [value, label])) }

/** "See orders, give money back", from the names in the contract, which the audit log keeps. */
export const permissionsInWords = (text: string): string => scopesInWords(text, labels)

/** Why somebody who may not do everything cannot change an account. Null: they can. */
export function lockedBecause(me: UserInfo, user: { isAdmin: boolean }): string | null {
  if (!may(me, 'WRITE_CUSTOMERS')) return 'Your account may see others, not change them.'
  if (user.isAdmin && !may(me, 'ADMIN')) return 'Only an administrator who may do everything can change this account.'
  return null
}
