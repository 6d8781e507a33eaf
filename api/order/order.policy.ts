import type { Context } from '../context.ts'
import type { Order } from './order.entity.ts'

/** Who asks: somebody signed in, the bearer of a guest order's token, or both. */
export type OrderAsker = Pick<Context, 'user' | 'orderToken'>

const owns = ({ user, orderToken }: OrderAsker, order: Order) =>
  (user !== null && order.userId === user.id) || orderToken?.orderId === order.id

/** Who may see an order: its owner, and administrators who may see orders. To anyone else it is not there. */
export const canView = (asker: OrderAsker, order: Order) =>
  owns(asker, order) || asker.user?.manages('READ_ORDERS') === true

/** Who may pay it: its owner alone. */
export const canPay = (asker: OrderAsker, order: Order) => owns(asker, order)
