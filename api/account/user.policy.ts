import { isManager, type Asker } from '../context.ts'
import type { User } from './user.entity.ts'

/** Who may see an account: its owner and administrators, until it is closed. */
export const canView = (asker: Asker, account: User) =>
  (isManager(asker, 'READ_CUSTOMERS') || asker.user?.id === account.id) && !account.closedAt
