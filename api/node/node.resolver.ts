import { Args, Ctx, Query, Resolver } from 'type-graphql'
import { User } from '../account/user.entity.ts'
import { canView as canViewUser } from '../account/user.policy.ts'
import { Product } from '../catalog/product.entity.ts'
import { canView as canViewProduct } from '../catalog/product.policy.ts'
import type { Context } from '../context.ts'
import type { Roots } from '../kernel/contract.ts'
import * as Gql from '../generated/classes.ts'
import { Order } from '../order/order.entity.ts'
import { canView as canViewOrder } from '../order/order.policy.ts'
import { Review } from '../review/review.entity.ts'
import { canView as canViewReview } from '../review/review.policy.ts'
import { isId } from '../kernel/validation.ts'

type Node = Product | Order | Review | User

const TABLES = ['products', 'orders', 'reviews', 'users'] as const

/** GraphQL asks which type of the contract an entity is. */
export function typeOfNode(node: Node): string {
  return node instanceof Product
    ? 'Product'
    : node instanceof Order
      ? 'Order'
      : node instanceof Review
        ? 'Review'
        : 'User'
}

@Resolver()
export class NodeResolver implements Roots<'Query', 'node'> {
  @Query(() => Gql.Node, { nullable: true })
  async node(@Args(() => Gql.QueryNodeArgs) { id }: Gql.QueryNodeArgs, @Ctx() context: Context) {
    const { em, user } = context
    if (!isId(id)) return null
    const [found] = await em.execute<{ kind: (typeof TABLES)[number] }[]>(
      TABLES.map(table => `select '${table}' as kind from ${table} where id = ?`).join(' union all '),
      TABLES.map(() => id),
    )
    if (found?.kind === 'products')
      return visible(await em.findOneOrFail(Product, { id }), product => canViewProduct(context, product))
    if (found?.kind === 'orders')
      return visible(await em.findOneOrFail(Order, { id }), order => user !== null && canViewOrder(user, order))
    if (found?.kind === 'users')
      return visible(await em.findOneOrFail(User, { id }), account => canViewUser(context, account))
    if (found?.kind !== 'reviews') return null
    const review = await em.findOneOrFail(Review, { id })
    const product = await em.findOneOrFail(Product, { id: review.productId })
    return visible(review, () => canViewReview(context, review, product))
  }
}

const visible = <T extends Node>(node: T, isVisible: (node: T) => boolean): T | null => (isVisible(node) ? node : null)
