import type { EntityManager } from '@mikro-orm/postgresql'
import { lastOf } from '#schema/rules/present'
import { connectionOfRows, type Connection, type ConnectionArguments } from '../query/connection.ts'

/** Who gets the newsletter. */
export interface Subscriber {
  id: string
  email: string
  confirmedAt: Date
  unsubscribePath: string
}

export type ConnectedSubscribers = Connection<Subscriber>

// Typed with `type`, because interfaces have no index signature.
type Row = { id: string; email: string; confirmed_at: Date; unsubscribe_token: string }

const ON_LIST = 'confirmed_at is not null and unsubscribed_at is null'
const BATCH = 1_000

const subscriberOf = ({ id, email, confirmed_at, unsubscribe_token }: Row): Subscriber => ({
  id,
  email,
  confirmedAt: new Date(confirmed_at),
  unsubscribePath: unsubscribePath(unsubscribe_token),
})

/** Takes an address off the list. In the fragment, which browsers send to no server, so that it is in no log and no referrer. */
export const unsubscribePath = (token: string | null | undefined) => `/newsletter/unsubscribe#${token}`

/** A part of the newsletter's list, whoever confirmed last first. */
export async function connectSubscribers(em: EntityManager, range: ConnectionArguments): Promise<ConnectedSubscribers> {
  const { edges, ...around } = await connectionOfRows<Row>(
    em,
    { table: 'newsletter_subscriptions', where: [[ON_LIST]], by: ['confirmed_at', 'timestamptz'], direction: 'desc' },
    range,
  )
  return { edges: edges.map(({ cursor, node }) => ({ cursor, node: subscriberOf(node) })), ...around }
}

/** The whole list, whoever confirmed first first, some at a time. */
export async function* allSubscribers(em: EntityManager): AsyncGenerator<Subscriber[]> {
  for (let after: string[] = []; ;) {
    const rows = await em.execute<(Row & { at: string })[]>(
      `select id, email, confirmed_at, unsubscribe_token, confirmed_at::text as at from newsletter_subscriptions
       where ${ON_LIST} ${after.length > 0 ? 'and (confirmed_at, id) > (?::timestamptz, ?::uuid)' : ''}
       order by confirmed_at, id limit ${BATCH}`,
      after,
    )
    if (rows.length > 0) yield rows.map(subscriberOf)
    if (rows.length < BATCH) return
    const { at, id } = lastOf(rows)
    after = [at, id]
  }
}
