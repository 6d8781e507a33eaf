import type { User } from '../account/user.entity.ts'
import type { Order } from './order.entity.ts'

/** Who may see an order: its owner and administrators. Anyone else is told it is not there. */
export const canView = (user: User, order: Order) => order.userId === user.id || user.actsAsAdmin

/** Who may pay it: its owner alone. */
export const canPay = (user: User, order: Order) => order.userId === user.id
