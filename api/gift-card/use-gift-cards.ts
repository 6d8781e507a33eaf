import type { EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { giftCardParts, groupedGiftCardCode, isGiftCardCode } from '#schema/rules/gift-card'
import type { Cents } from '#schema/rules/money'
import { nth } from '#schema/rules/present'
import type { UserErrorCode } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { listed, read, write } from '../query/read.ts'

/** What a card pays of an order or a cart. */
export interface GiftCardPart {
  id: string
  code: string
  balance: Cents
  amount: Cents
}

const no = (code: UserErrorCode, message: string) => refuse(code, message, { field: ['giftCards'] })

const unknown = () => no('GIFT_CARD_UNKNOWN', 'We don’t know this gift card. Please check how its code is written.')

/** SQL for whether a row of `gift_cards` pays nothing any more: the shop has stopped it, or all of the money for it went back. */
export const STOPPED = `(disabled_at is not null or exists (
  select from orders o where o.id = gift_cards.order_id and o.refunded_amount >= o.total_price - o.unpaid_amount))`

interface CardRow {
  id: string
  code: string
  balance: Cents
  isDisabled: boolean
}

/**
 * What the cards of these codes pay of a total, or a refusal that says which of them cannot be used. With `lock` nobody
 * else takes from them until the transaction ends; they are locked in one order, whatever the codes' is.
 */
export async function applyGiftCards(
  em: EntityManager,
  codes: readonly string[],
  total: Cents,
  { lock = false } = {},
): Promise<GiftCardPart[]> {
  if (codes.length === 0) return []
  if (!codes.every(isGiftCardCode)) throw unknown()
  const rows = await read<CardRow>(
    em,
    `select id, code, balance, ${STOPPED} as "isDisabled" from gift_cards where code = any(?::text[])
     order by id ${lock ? 'for update' : ''}`,
    [listed(codes)],
  )
  const byCode = new Map(rows.map(row => [row.code, row]))
  const cards = codes.map(code => {
    const card = byCode.get(code)
    const ending = `The gift card that ends with ${code.slice(-4)}`
    if (!card) throw unknown()
    if (card.isDisabled) throw no('GIFT_CARD_SPENT', `${ending} cannot be used any more. Please write to the shop.`)
    if (card.balance === 0) throw no('GIFT_CARD_SPENT', `${ending} has nothing left on it.`)
    return card
  })
  const amounts = giftCardParts(cards, total)
  return cards.map(({ id, code, balance }, place) => ({
    id,
    code: groupedGiftCardCode(code),
    balance,
    amount: nth(amounts, place),
  }))
}

/** Takes from locked cards what they pay of an order. */
export async function takeGiftCards(em: EntityManager, orderId: string, parts: readonly GiftCardPart[]): Promise<void> {
  const paying = parts.filter(({ amount }) => amount > 0)
  if (paying.length === 0) return
  await write(
    em,
    `with part as (
       select * from jsonb_to_recordset(?::jsonb) as p(id uuid, amount integer)
     ), taken as (
       update gift_cards c set balance = balance - p.amount from part p where c.id = p.id returning c.id, p.amount
     )
     insert into gift_card_uses (order_id, gift_card_id, amount) select ?::uuid, id, amount from taken`,
    [JSON.stringify(paying.map(({ id, amount }) => ({ id, amount }))), orderId],
  )
}

/** In one order: two orders with the same cards would wait for each other. */
const lockCardsOf = (em: EntityManager, orderId: string) =>
  read<{ id: string; balance: Cents; amount: Cents; isDisabled: boolean }>(
    em,
    `select id, balance, amount, ${STOPPED} as "isDisabled" from gift_cards
     join gift_card_uses u on u.gift_card_id = id and u.order_id = ? order by id for update of gift_cards`,
    [orderId],
  )

/** Gives what the cards of a locked order paid back to them, inside the caller's transaction and once. */
export async function giveGiftCardsBack(em: EntityManager, orderId: string): Promise<void> {
  await lockCardsOf(em, orderId)
  await write(
    em,
    `with use as (
       update gift_card_uses set given_back_at = ? where order_id = ? and given_back_at is null returning gift_card_id, amount
     )
     update gift_cards c set balance = balance + u.amount from use u where c.id = u.gift_card_id`,
    [clock.now(), orderId],
  )
}

/** Takes what the cards of a locked order got back once more, all of it or nothing. Returns whether it could. */
export async function takeGiftCardsAgain(em: EntityManager, orderId: string): Promise<boolean> {
  const cards = await lockCardsOf(em, orderId)
  if (cards.some(({ balance, amount, isDisabled }) => isDisabled || balance < amount)) return false
  await write(
    em,
    `with use as (
       update gift_card_uses set given_back_at = null where order_id = ? and given_back_at is not null returning gift_card_id, amount
     )
     update gift_cards c set balance = balance - u.amount from use u where c.id = u.gift_card_id`,
    [orderId],
  )
  return true
}

/** Writes down what gift cards paid of an order that becomes paid, as payments of it. */
export async function recordGiftCardPayments(em: EntityManager, orderId: string): Promise<void> {
  const uses = await read<{ cardId: string; amount: Cents }>(
    em,
    'select gift_card_id as "cardId", amount from gift_card_uses where order_id = ? and given_back_at is null',
    [orderId],
  )
  const rows = uses.map(({ cardId, amount }) => ({ id: v7(), gift_card_id: cardId, amount }))
  await write(
    em,
    `insert into payments (id, order_id, method, paypal_order_id, capture_id, gift_card_id, amount, created_at)
     select id, ?::uuid, 'GIFT_CARD', 'shop:' || id, 'shop:' || id, gift_card_id, amount, ?::timestamptz
     from jsonb_to_recordset(?::jsonb) as p(id uuid, gift_card_id uuid, amount integer)`,
    [orderId, clock.now(), JSON.stringify(rows)],
  )
}

/** Puts a refund on the card that paid; nothing where something else did. */
export async function refundToGiftCard(em: EntityManager, captureId: string, amount: Cents): Promise<void> {
  await write(
    em,
    'update gift_cards c set balance = balance + ? from payments p where p.capture_id = ? and c.id = p.gift_card_id',
    [amount, captureId],
  )
}
