import { Args, Ctx, Query, Resolver } from 'type-graphql'
import { valueAt } from '#schema/rules/present'
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
import { refuse } from '../kernel/errors.ts'
import { isId } from '../kernel/validation.ts'
import { MOST_NODES } from '../query/page-sizes.ts'

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
export class NodeResolver implements Roots<'Query', 'node' | 'nodes'> {
  @Query(() => Gql.Node, { nullable: true })
  async node(@Args(() => Gql.QueryNodeArgs) { id }: Gql.QueryNodeArgs, @Ctx() context: Context) {
    return (await findNodes(context, [id]))[0]
  }

  @Query(() => [Gql.Node], { nullable: 'items' })
  nodes(@Args(() => Gql.QueryNodesArgs) { ids }: Gql.QueryNodesArgs, @Ctx() context: Context) {
    if (ids.length > MOST_NODES) throw refuse('INVALID', `\`ids\` takes at most ${MOST_NODES} ids.`, { field: ['ids'] })
    return findNodes(context, ids)
  }
}

/** What the caller may see of these, in their order. */
async function findNodes(context: Context, ids: readonly string[]): Promise<(Node | null)[]> {
  const { em } = context
  const asked = [...new Set(ids.filter(isId))]
  if (asked.length === 0) return ids.map(() => null)
  const rows = await em.execute<{ id: string; kind: (typeof TABLES)[number] }[]>(
    TABLES.map(table => `select id, '${table}' as kind from ${table} where id in (?)`).join(' union all '),
    TABLES.map(() => asked),
  )
  const idsOf = (table: (typeof TABLES)[number]) => rows.filter(({ kind }) => kind === table).map(({ id }) => id)
  const load = <T extends Node>(entity: new () => T, table: (typeof TABLES)[number]): Promise<T[]> | T[] => {
    const wanted = idsOf(table)
    return wanted.length > 0 ? (em.find(entity as new () => Node, { id: { $in: wanted } }) as Promise<T[]>) : []
  }
  const reviews = await load(Review, 'reviews')
  const reviewed =
    reviews.length > 0 ? await em.find(Product, { id: { $in: reviews.map(each => each.productId) } }) : []
  const reviewedById = new Map(reviewed.map(product => [product.id, product]))
  const found: Node[] = [
    ...(await load(Product, 'products')).filter(product => canViewProduct(context, product)),
    ...(await load(Order, 'orders')).filter(order => canViewOrder(context, order)),
    ...(await load(User, 'users')).filter(account => canViewUser(context, account)),
    ...reviews.filter(review => canViewReview(context, review, valueAt(reviewedById, review.productId))),
  ]
  const byId = new Map(found.map(node => [node.id.toLowerCase(), node]))
  return ids.map(id => byId.get(id.toLowerCase()) ?? null)
}
