import { Readable } from 'node:stream'
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import type { FastifyInstance } from 'fastify'
import { lastOf } from '#schema/rules/present'
import { signedIn, type Context } from '../context.ts'
import type { AccountProofInput } from '../generated/types.ts'
import { Problem } from '../http/problem.ts'
import { clock } from '../kernel/clock.ts'
import { hashOf, newToken } from '../kernel/tokens.ts'
import { provingIdentity } from './prove-identity.ts'

const HOUR_MS = 3_600_000
const oldestGood = () => new Date(clock.now().getTime() - HOUR_MS)

/** Makes a link to a copy of everything the shop knows about oneself. The link alone opens it. */
export async function exportAccount(
  context: Context,
  proof: AccountProofInput,
): Promise<{ path: string; expiresAt: Date }> {
  await context.exportThrottle.admit(signedIn(context).id)
  const token = newToken()
  const at = clock.now()
  await provingIdentity(context, proof, (tx, { id }) =>
    tx.execute('insert into account_exports (token_hash, user_id, created_at) values (?, ?, ?)', [
      hashOf(token),
      id,
      at,
    ]),
  )
  return { path: `/api/account-exports/${token}`, expiresAt: new Date(at.getTime() + HOUR_MS) }
}

/** Forgets links that nobody can use any more. */
export async function forgetExports(em: EntityManager): Promise<void> {
  await em.execute('delete from account_exports where created_at < ?', [oldestGood()])
}

/** `GET /api/account-exports/:token`: all that the shop knows of the person who made the link, as a file. */
export async function accountExports(app: FastifyInstance, { orm }: { orm: MikroORM }): Promise<void> {
  app.get<{ Params: { token: string } }>('/api/account-exports/:token', async (request, reply) => {
    const em = orm.em.fork()
    const [account] = await em.execute<Me[]>(
      `select u.id, case when u.email_verified_at is not null then u.email_key end as "emailKey"
       from account_exports e join users u on u.id = e.user_id
       where e.token_hash = ? and e.created_at > ? and u.closed_at is null`,
      [hashOf(request.params.token), oldestGood()],
    )
    if (!account) throw new Problem(404, 'NOT_FOUND', 'This link is unknown or too old. Please make another one.')
    return reply
      .type('application/json; charset=utf-8')
      .headers({
        'content-disposition': 'attachment; filename="account.json"',
        'cache-control': 'private, no-store',
      })
      .send(Readable.from(textOf(em, account), { objectMode: false }))
  })
}

interface Me {
  id: string
  /** Null while the address is not confirmed. */
  emailKey: string | null
}

/** How many rows are in memory at a time. */
const BATCH = 200

/** The file, a few hundred rows at a time, however much there is. */
async function* textOf(em: EntityManager, { id, emailKey }: Me): AsyncGenerator<string> {
  yield `{\n"exportedAt": ${JSON.stringify(clock.now())}`
  for (const [name, section] of Object.entries(SECTIONS)) {
    yield `,\n${JSON.stringify(name)}: [`
    let after: string | null = null
    do {
      const batch: { key: string; shown: unknown }[] = await em.execute(batchOf(section), [id, emailKey, after, after])
      yield batch
        .map(({ shown }, place) => `${after === null && place === 0 ? '' : ','}\n${JSON.stringify(shown)}`)
        .join('')
      after = batch.length === BATCH ? lastOf(batch).key : null
    } while (after !== null)
    yield ']'
  }
  yield '\n}\n'
}

/** The SQL of one batch: of the account with this id and email, after this key, given twice. */
export const batchOf = ({ rows, key, shows }: Section): string =>
  `with me as (select ?::uuid as id, ?::text as email_key)
   select ${key}::text as key, jsonb_strip_nulls(${shows}) as shown from me join ${rows}
   where ?::text is null or ${key}::text collate "C" > ? order by ${key}::text collate "C" limit ${BATCH}`

interface Section {
  /** A table, and the SQL that finds its rows from `me`. */
  rows: string
  /** The unique column they are ordered by. */
  key: string
  /** The columns that are exported. Amounts are cents, as everywhere in the API. */
  shows: string
}

/** A JSON object of columns, under the names they have in the contract where it has them. */
const columns = (table: string, list: string) =>
  `jsonb_build_object(${list
    .split(/\s+/)
    .map(name => `'${name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())}', ${table}.${name}`)
    .join(', ')})`

const each = (of: string, from: string) => `coalesce((select jsonb_agg(${of}) from ${from}), '[]')`

const written = (column: string, id: string) =>
  `coalesce((select jsonb_build_object('note', a.note, 'tags', to_jsonb(a.tags)) from annotations a where a.${column} = ${id}), '{}')
   || jsonb_build_object('externalIds', ${each(columns('x', 'namespace value'), `external_ids x where x.${column} = ${id}`)})`

/** All that the shop knows of a person, by what it is. */
export const SECTIONS: Record<string, Section> = {
  account: {
    rows: 'users u on u.id = me.id',
    key: 'u.id',
    shows: `${columns('u', 'id name email new_email email_verified_at is_admin time_zone second_factor_at created_at updated_at')}
      || ${written('user_id', 'u.id')}`,
  },
  orders: {
    rows: 'orders o on o.user_id = me.id',
    key: 'o.id',
    shows: `${columns(
      'o',
      `id number user_name user_email time_zone shipping_address customer_note payment_method items_price discount_code discount shipping_price
       tax_price total_price gift_card_amount unpaid_amount gift_cards_sold included_tax tax_basis_points refunded_amount paid_at first_sent_at sent_at delivered_at lapsed_at cancelled_at paypal_order_id created_at`,
    )} || jsonb_build_object(
        'items', ${each(columns('i', 'product_id sku name price quantity lots discount'), 'order_items i where i.order_id = o.id')},
        'payments', ${each(columns('p', 'method capture_id note amount created_at'), 'payments p where p.order_id = o.id')},
        'refunds', ${each(columns('r', 'amount reason state created_at'), 'refunds r where r.order_id = o.id')},
        'parcels', ${each(columns('f', 'carrier tracking_number tracking_url created_at sent_at delivered_at cancelled_at'), 'fulfilments f where f.order_id = o.id')})
      || ${written('order_id', 'o.id')}`,
  },
  reviews: {
    rows: 'reviews r on r.user_id = me.id',
    key: 'r.id',
    shows: columns(
      'r',
      'id product_id name rating comment needle_mm gauge project pictures helpful answer answered_at verified_purchase hidden_at hidden_reason created_at',
    ),
  },
  reviewsFoundHelpful: {
    rows: 'review_votes v on v.user_id = me.id',
    key: 'v.review_id',
    shows: columns('v', 'review_id created_at'),
  },
  uploadsForReviews: {
    rows: 'review_uploads w on w.user_id = me.id',
    key: 'w.image',
    shows: columns('w', 'image width height created_at'),
  },
  addresses: {
    rows: 'addresses a on a.user_id = me.id',
    key: 'a.id',
    shows: columns('a', 'id label shipping_address is_default created_at'),
  },
  stash: {
    rows: 'stash_items s on s.user_id = me.id',
    key: 's.id',
    shows: columns('s', 'product_id added_at'),
  },
  cart: {
    rows: 'carts c on c.user_id = me.id',
    key: 'c.id',
    shows: columns('c', 'lines code shipping_address changed_at'),
  },
  waitsFor: {
    rows: 'bells b on b.user_id = me.id or b.email_key = me.email_key',
    key: 'b.id',
    shows: columns('b', 'product_id lot asked_at'),
  },
  newsletter: {
    rows: 'newsletter_subscriptions n on n.email_key = me.email_key',
    key: 'n.email_key',
    shows: columns('n', 'email created_at confirmed_at unsubscribed_at code'),
  },
  discountCodes: {
    rows: 'code_uses c on c.user_id = me.id join discount_codes d on d.id = c.discount_code_id',
    key: 'c.order_id',
    shows: `${columns('c', 'order_id series_code saved taken_at given_back_at')} || ${columns('d', 'code')}`,
  },
  giftCards: {
    rows: 'gift_cards g on g.email_key = me.email_key',
    key: 'g.id',
    shows: `${columns('g', 'email message initial_amount balance disabled_at created_at')} || jsonb_build_object('lastFour', right(g.code, 4))`,
  },
  identities: {
    rows: 'linked_identities l on l.account_id = me.id',
    key: 'l.id',
    shows: columns('l', 'id provider subject email created_at'),
  },
  sessions: {
    rows: 'sessions t on t.user_id = me.id',
    key: 't.token_hash',
    shows: columns('t', 'created_at used_at'),
  },
  knownDevices: {
    rows: 'known_devices k on k.user_id = me.id',
    key: 'k.token_hash',
    shows: columns('k', 'created_at'),
  },
  apiKeys: {
    rows: 'api_keys k on k.account_id = me.id',
    key: 'k.id',
    shows: columns('k', 'name start scopes allowed_addresses created_at expires_at last_used_at revoked_at'),
  },
  changes: {
    rows: `audit_entries e on e.actor_id = me.id or e.entity = 'USER' and e.entity_id = me.id`,
    key: 'e.id',
    shows: columns('e', 'at actor_name api_key_name entity entity_id label action changes'),
  },
  letters: {
    rows: `lateral (
        select * from mails where about->>'userId' = me.id::text
        union select * from mails where about->>'emailKey' = me.email_key
        union select mails.* from orders join mails on about->>'orderId' = orders.id::text where user_id = me.id
      ) m on true`,
    key: 'm.id',
    shows: columns('m', 'kind created_at sent_at subject'),
  },
}
