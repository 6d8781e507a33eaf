import { LockMode, UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import { normalGiftCardCode } from '#schema/rules/gift-card'
import { limits } from '#schema/rules/limits'
import type { Cents } from '#schema/rules/money'
import { nth, valueAt } from '#schema/rules/present'
import { giftCardPatch, newGiftCard } from '#schema/rules/shapes/gift-card'
import { emailKey, type User } from '../account/user.entity.ts'
import { changesBetween, recordAudit, type Actor } from '../audit/record-audit.ts'
import type { GiftCardInput, GiftCardPatch } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { check, email, idempotencyKey, isId } from '../kernel/validation.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { Order } from '../order/order.entity.ts'
import type { Load } from '../query/batch.ts'
import { pageOf, type Page } from '../query/paging.ts'
import { newGiftCardCode } from './bought-gift-cards.ts'
import { GiftCard } from './gift-card.entity.ts'

const asked = newGiftCard.extend({
  email: email.nullish().transform(address => address ?? null),
  idempotencyKey: idempotencyKey.min(
    20,
    'An idempotency key has 20 characters or more: make a random one for each card.',
  ),
})

/** Not who got it: what is written down there is never forgotten. */
const AUDITED = ['initialAmount', 'note', 'disabledAt'] as const
const audited = (card: GiftCard) => Object.fromEntries(AUDITED.map(field => [field, card[field]]))
const about = ({ id, lastFour }: GiftCard) => ({ entity: 'GIFT_CARD' as const, entityId: id, label: `…${lastFour}` })

/** Takes out to whom cards were sent, of a person whose account is deleted. Whoever has the code still has the card. */
export async function forgetGiftCardsOf(em: EntityManager, key: string): Promise<void> {
  await em.execute('update gift_cards set email = null, email_key = null, message = null where email_key = ?', [key])
}

/** Takes out what somebody wrote to whom they gave a card. */
export async function forgetGiftsOf(em: EntityManager, { id }: User): Promise<void> {
  await em.execute(
    `update gift_cards set message = null where message is not null and order_id in (select id from orders where user_id = ?)`,
    [id],
  )
}

export function listGiftCards(
  em: EntityManager,
  search: string | null,
  page: number,
  pageSize: number,
): Promise<Page<GiftCard>> {
  const wanted = search?.trim() ?? ''
  return pageOf(em, GiftCard, {
    from: 'gift_cards',
    where: [],
    // Longer than any address: it is none.
    search:
      wanted.length > limits.email
        ? null
        : [
            wanted !== '' && [
              '(right(code, 4) = ? or email_key = ?)',
              normalGiftCardCode(wanted).slice(-4),
              emailKey(wanted),
            ],
          ],
    order: 'created_at desc, id desc',
    page,
    pageSize,
  })
}

/** Makes a card, once for each key. */
export async function issueGiftCard(em: EntityManager, actor: Actor, input: GiftCardInput): Promise<GiftCard> {
  const { amount, ...fields } = check(asked, input)
  if (fields.message && !fields.email)
    throw refuse('INVALID', 'Please say where the message goes, or leave it out.', { field: ['email'] })
  const make = () =>
    em.transactional(async tx => {
      const before = await tx.findOne(GiftCard, { idempotencyKey: fields.idempotencyKey })
      if (before) {
        if (before.initialAmount !== amount || (before.email ?? null) !== fields.email)
          throw refuse(
            'IDEMPOTENCY_MISMATCH',
            'A gift card was already made with this key and another amount or address.',
          )
        return before
      }
      const card = tx.create(GiftCard, {
        ...fields,
        emailKey: fields.email && emailKey(fields.email),
        code: newGiftCardCode(),
        initialAmount: amount,
        balance: amount,
      })
      await tx.flush()
      await recordAudit(tx, actor, {
        ...about(card),
        action: 'CREATED',
        changes: changesBetween(null, audited(card), AUDITED),
      })
      if (card.email) queueMail(tx, 'GIFT_CARD', { giftCardId: card.id })
      return card
    })
  return make().catch((error: unknown) => {
    // The same request came twice at once; the second attempt finds what the other made.
    if (error instanceof UniqueConstraintViolationException) return make()
    throw error
  })
}

export function updateGiftCard(em: EntityManager, actor: Actor, id: string, input: GiftCardPatch): Promise<GiftCard> {
  const { isDisabled, note } = check(giftCardPatch, input)
  return em.transactional(async tx => {
    const card = isId(id)
      ? await tx.findOne(GiftCard, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
      : null
    if (!card) throw refuse('NOT_FOUND', 'There is no such gift card.')
    const before = audited(card)
    if (note !== undefined) card.note = note || null
    if (isDisabled != null && isDisabled !== Boolean(card.disabledAt)) card.disabledAt = isDisabled ? clock.now() : null
    const changes = changesBetween(before, audited(card), AUDITED)
    if (changes.length > 0) await recordAudit(tx, actor, { ...about(card), action: 'UPDATED', changes })
    return card
  })
}

export interface GiftCardUse {
  order: Order
  amount: Cents
}

const USES_SHOWN = 20

/** What each card paid for, newest order first. */
export const usesOf: Load<string, GiftCardUse[]> = async (em, cardIds) => {
  const rows = await em.execute<{ cardId: string; orderId: string; amount: Cents }[]>(
    `select u.gift_card_id as "cardId", u.order_id as "orderId", u.amount
     from unnest(?::uuid[]) as card(id), lateral (
       select * from gift_card_uses where gift_card_id = card.id and given_back_at is null order by order_id desc limit ${USES_SHOWN}) u`,
    [`{${cardIds.join()}}`],
  )
  const orders = await ordersById(
    em,
    rows.map(({ orderId }) => orderId),
  )
  const uses = rows.map(({ cardId, amount }, place) => ({ cardId, use: { order: nth(orders, place), amount } }))
  const byCard = Map.groupBy(uses, ({ cardId }) => cardId)
  return cardIds.map(id => (byCard.get(id) ?? []).map(({ use }) => use))
}

/** Of orders that are there, as those are which something refers to. */
export const ordersById: Load<string, Order> = async (em, ids) => {
  const orders = await em.find(Order, { id: { $in: [...new Set(ids)] } })
  const byId = new Map(orders.map(order => [order.id, order]))
  return ids.map(id => valueAt(byId, id))
}
