import type { User } from './user.entity.ts'

/** Who may see an account: its owner and administrators, until it is closed. */
export const canView = (user: User | null, account: User) => user !== null && (user.isAdmin || user.id === account.id) && !account.closedAt
