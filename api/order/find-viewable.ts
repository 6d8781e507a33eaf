import { present } from '#schema/rules/present'
import type { Context } from '../context.ts'
import { Problem } from '../http/problem.ts'
import { isId } from '../kernel/validation.ts'
import { missingScopes, SCOPES } from '../partner/scopes.ts'
import { Order } from './order.entity.ts'
import { canView } from './order.policy.ts'

/** The order that a file is about, for who may read it; to anyone else it is not there. */
export async function findViewable(context: Context, id: string): Promise<Order> {
  const order =
    isId(id) && missingScopes(context.scopes, present(SCOPES['order'])).length === 0
      ? await context.em.findOne(Order, { id }, { populate: ['items'] })
      : null
  if (!order || !canView(context, order)) throw new Problem(404, 'NOT_FOUND', 'There is no such order.')
  return order
}
