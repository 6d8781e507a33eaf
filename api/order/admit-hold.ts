import type { EntityManager } from '@mikro-orm/postgresql'
import type { HoldLimits } from '#schema/rules/hold-limits'
import { present } from '#schema/rules/present'
import { network } from '../account/throttle.ts'
import { hashOf } from '../kernel/tokens.ts'
import type { StockLine } from '../catalog/stock.ts'
import type { Context } from '../context.ts'
import { read } from '../query/read.ts'
import { Refusal, refuse } from '../kernel/errors.ts'
import type { Owner } from './order.entity.ts'

/** Who has paid before may hold all there is of a product; a newcomer this share, or as many units as a blanket takes. */
const NEWCOMER_SHARE = 1 / 2
const NEWCOMER_UNITS = 20
/** And, for accounts without a confirmed email address, this many units in all: anybody can make up addresses. */
const UNCONFIRMED_UNITS = 50
/** A guest has fewer orders to pay than an account, for any email will do. */
const GUEST_ORDERS = 3

/** Whose order it is, and the hash of the network it comes from; null for a partner's program, behind which many shoppers may stand. */
export interface Holder extends Owner {
  placedFrom: string | null
}

export const holderOf = ({ userId, guestKey }: Owner, { ip, scopes }: Pick<Context, 'ip' | 'scopes'>): Holder => ({
  userId,
  guestKey,
  placedFrom: scopes === null ? hashOf(network(ip)) : null,
})

interface Held {
  orders: number
  units: number
}

/**
 * Refuses a hold that would be one too many, inside the transaction that will hold the stock. Holds of one account or
 * guest, and of one address, take turns until their transactions end, so that none of them counts without the others.
 */
export async function admitHold(
  em: EntityManager,
  limits: HoldLimits,
  { placedFrom, ...owner }: Holder,
  lines: readonly StockLine[],
): Promise<void> {
  const ofOwner = limits.ordersPerAccount > 0 || limits.unitsPerAccount > 0 ? owner : NOBODY
  const address = limits.ordersPerAddress > 0 || limits.unitsPerAddress > 0 ? placedFrom : null
  if (ofOwner === NOBODY && address === null) return
  await takeTurns(em, ofOwner, address)
  const held = await readHeld(em, ofOwner, address)
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  if (ofOwner.userId !== null) await admitAccount(em, limits, ofOwner.userId, held, units, lines)
  else if (ofOwner.guestKey !== null) await admitGuest(em, limits, ofOwner.guestKey, held, units, lines)
  if (address !== null) admitAddress(limits, held.ofAddress, units)
}

const NOBODY: Owner = { userId: null, guestKey: null }

/** A statement of its own: the next one sees what those before committed. */
const takeTurns = (em: EntityManager, { userId, guestKey }: Owner, address: string | null) =>
  read(
    em,
    'select pg_advisory_xact_lock(hashtextextended(?, 0)), pg_advisory_xact_lock(hashtextextended(?, 0)), pg_advisory_xact_lock(hashtextextended(?, 0))',
    [userId && `hold account ${userId}`, guestKey && `hold guest ${guestKey}`, address && `hold address ${address}`],
  )

interface AllHeld extends Held {
  ofAddress: Held
  /** Whether the account has ever paid an order. */
  hasPaid: boolean
}

const heldWhere = (condition: string) =>
  `select count(distinct o.id)::int as orders, coalesce(sum(i.quantity), 0)::int as units
   from orders o left join order_items i on i.order_id = o.id where o.held_until is not null and ${condition}`

async function readHeld(em: EntityManager, { userId, guestKey }: Owner, address: string | null): Promise<AllHeld> {
  const [found] = await read<Held & { addressOrders: number; addressUnits: number; hasPaid: boolean }>(
    em,
    `select mine.orders, mine.units, address.orders as "addressOrders", address.units as "addressUnits",
       exists (select from orders where user_id = ? and paid_at is not null) as "hasPaid"
     from (${heldWhere(guestKey === null ? 'o.user_id = ?' : 'o.guest_key = ?')}) mine,
       (${heldWhere('o.placed_from = ?')}) address`,
    [userId, guestKey ?? userId, address],
  )
  const { orders, units, addressOrders, addressUnits, hasPaid } = present(found)
  return { orders, units, ofAddress: { orders: addressOrders, units: addressUnits }, hasPaid }
}

async function admitAccount(
  em: EntityManager,
  { ordersPerAccount, unitsPerAccount }: HoldLimits,
  userId: string,
  held: AllHeld,
  units: number,
  lines: readonly StockLine[],
): Promise<void> {
  if (ordersPerAccount > 0 && held.orders >= ordersPerAccount) {
    throw refuse(
      'TOO_MANY_UNPAID_ORDERS',
      `You have ${counted(held.orders, 'unpaid order')}, and ${ordersPerAccount} are the most at a time. Please pay or cancel one of them: they are listed in your profile.`,
    )
  }
  if (unitsPerAccount === 0) return
  if (held.units + units > unitsPerAccount) throw tooManyUnits(held, units, unitsPerAccount)
  if (!held.hasPaid) await admitNewcomer(em, userId, held.units + units, lines)
}

/** A guest is unknown: they may hold at most what a newcomer without a confirmed email may. */
async function admitGuest(
  em: EntityManager,
  { ordersPerAccount, unitsPerAccount }: HoldLimits,
  guestKey: string,
  held: Held,
  units: number,
  lines: readonly StockLine[],
): Promise<void> {
  const orders = Math.min(GUEST_ORDERS, ordersPerAccount)
  const most = Math.min(UNCONFIRMED_UNITS, unitsPerAccount)
  if (orders > 0 && held.orders >= orders) {
    throw refuse(
      'TOO_MANY_UNPAID_ORDERS',
      `${counted(held.orders, 'unpaid order')} with this email ${held.orders === 1 ? 'waits' : 'wait'}, and ${orders} are the most for a guest. Please pay or cancel one of them by the link in its mail, or sign in.`,
    )
  }
  if (most === 0) return
  if (held.units + units > most) throw tooManyUnits(held, units, most, ' An account can have more.')
  await leaveToOthers(em, 'o.guest_key = ?', guestKey, lines)
}

function admitAddress({ ordersPerAddress, unitsPerAddress }: HoldLimits, held: Held, units: number): void {
  const advice = 'Please pay or cancel one of yours, or try again in a few minutes.'
  if (ordersPerAddress > 0 && held.orders >= ordersPerAddress) {
    throw refuse(
      'TOO_MANY_UNPAID_ORDERS',
      `${counted(held.orders, 'unpaid order')} come from your network, and ${ordersPerAddress} are the most at a time. ${advice}`,
    )
  }
  if (unitsPerAddress > 0 && held.units + units > unitsPerAddress) {
    throw refuse(
      'TOO_MANY_UNITS_HELD',
      `Unpaid orders from your network set ${counted(held.units, 'unit')} aside, and with these ${units} it would be more than ${unitsPerAddress}. ${advice}`,
      { field: ['lines'] },
    )
  }
}

const tooManyUnits = (held: Held, units: number, most: number, more = '') =>
  refuse(
    'TOO_MANY_UNITS_HELD',
    held.units > 0
      ? `Your ${counted(held.orders, 'unpaid order')} set ${counted(held.units, 'unit')} aside, and with these ${units} it would be more than ${most}. Please pay or cancel one of them first, or order fewer.${more}`
      : `At most ${most} units can be set aside for you at a time, and these are ${units}. Please order in parts, and pay each before the next.${more}`,
    { field: ['lines'] },
  )

/** Until an account has paid its first order, it leaves a part of every product to others. */
async function admitNewcomer(
  em: EntityManager,
  userId: string,
  units: number,
  lines: readonly StockLine[],
): Promise<void> {
  const [confirmed] = await em.execute<object[]>('select 1 from users where id = ? and email_verified_at is not null', [
    userId,
  ])
  if (!confirmed && units > UNCONFIRMED_UNITS) {
    throw refuse(
      'TOO_MANY_UNITS_HELD',
      `Until your email address is confirmed, at most ${UNCONFIRMED_UNITS} units can be set aside for you, and with these it would be ${units}. Please open the link we sent you (your profile sends it again), or order fewer.`,
      { field: ['lines'] },
    )
  }
  await leaveToOthers(em, 'o.user_id = ?', userId, lines)
}

async function leaveToOthers(
  em: EntityManager,
  isTheirs: string,
  whose: string,
  lines: readonly StockLine[],
): Promise<void> {
  const shelf = await em.execute<{ id: string; left: number; held: number }[]>(
    `select p.id, p.count_in_stock as left,
            (select coalesce(sum(i.quantity), 0)::int from order_items i join orders o on o.id = i.order_id
             where i.product_id = p.id and ${isTheirs} and o.held_until is not null) as held
     from products p where p.id in (?)`,
    [whose, lines.map(({ productId }) => productId)],
  )
  const refused = lines.flatMap(({ productId, quantity }) => {
    const product = shelf.find(({ id }) => id === productId)
    if (!product || product.left < quantity) return []
    const most = Math.max(NEWCOMER_UNITS, Math.floor((product.left + product.held) * NEWCOMER_SHARE))
    if (product.held + quantity <= most) return []
    const message = `Until your first order is paid, at most ${most} units of a product can be set aside for you, and ${product.held + quantity} of one would be. Please order fewer, or pay an order first.`
    return [
      {
        code: 'TOO_MANY_UNITS_HELD' as const,
        message,
        field: ['lines', productId],
        available: Math.max(0, most - product.held),
      },
    ]
  })
  if (refused.length > 0) throw new Refusal(refused)
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
