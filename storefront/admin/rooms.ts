import { may } from '../account/may.ts'
import type { UserInfo } from '../account/session.ts'
import type { ApiScope } from '../generated/types.ts'
import { paths } from '../paths.ts'

interface Room {
  label: string
  to: string
  /** What an administrator has to be permitted to open it. */
  needs: ApiScope
  /** Other pages of the same room begin so. */
  also?: string
}

const DASHBOARD: Room = { label: 'Dashboard', to: paths.admin(), needs: 'READ_REPORTS' }

/** The sections of the admin. */
const ROOMS: readonly Room[] = [
  DASHBOARD,
  { label: 'Orders', to: paths.adminOrders(), needs: 'READ_ORDERS' },
  { label: 'Products', to: paths.adminProducts(), needs: 'WRITE_PRODUCTS', also: '/admin/product/' },
  { label: 'Users', to: paths.adminUsers(), needs: 'READ_CUSTOMERS', also: '/admin/user/' },
  { label: 'Reviews', to: paths.adminReviews(), needs: 'MODERATE_REVIEWS' },
  { label: 'Searches', to: paths.adminSearches(), needs: 'MANAGE_SEARCH' },
  { label: 'Codes', to: paths.adminCodes(), needs: 'MANAGE_DISCOUNTS' },
  { label: 'Gift cards', to: paths.adminGiftCards(), needs: 'REFUND_ORDERS' },
  { label: 'Taxes', to: paths.adminTaxes(), needs: 'READ_REPORTS' },
  { label: 'Pages', to: paths.adminPages(), needs: 'WRITE_PAGES' },
  { label: 'Partners', to: paths.adminPartners(), needs: 'ADMIN' },
  { label: 'Audit log', to: paths.adminAudit(), needs: 'ADMIN' },
]

/** The rooms that a user may open. */
export const roomsOf = (user: UserInfo | null): readonly Room[] => ROOMS.filter(({ needs }) => may(user, needs))

/** Whether the address is the room's own or lies under it. Under the dashboard's lie those of all others. */
export const isAt = ({ to }: Room, pathname: string): boolean =>
  pathname === to || (to !== DASHBOARD.to && pathname.startsWith(`${to}/`))

export const isIn = (room: Room, pathname: string): boolean =>
  isAt(room, pathname) || (room.also !== undefined && pathname.startsWith(room.also))

/** Pages that need more than the room they are in. */
const NEEDED: Readonly<Record<string, ApiScope>> = {
  [paths.adminImport()]: 'IMPORT_PRODUCTS',
  [paths.adminNewOrder()]: 'WRITE_ORDERS',
}

/** What an administrator has to be permitted for the page at this address. Undefined: there is no such page. */
export const neededAt = (pathname: string): ApiScope | undefined =>
  NEEDED[pathname] ?? ROOMS.find(room => isIn(room, pathname))?.needs
