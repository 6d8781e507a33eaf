import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nth, present } from '#schema/rules/present'
import { limits } from '#schema/rules/limits'
import type { DataOf } from '../generated/answers.ts'
import { hashPassword } from '../account/password.ts'
import { ask } from '../testing/admin.ts'
import { mailsTo } from '../testing/mail.ts'
import { ADDRESS, bought, line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type Identity, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let admin: Account
let nell: Account
beforeAll(async () => {
  shop = await openShop({ mail: { to: 'mailbox' } })
  admin = await makeUser(shop.em(), { isAdmin: true })
  nell = await makeUser(shop.em(), { name: 'Nell' })
})
afterAll(() => shop?.close())

const SHOWN = 'id code balance sentTo canBeSent'
const SEND = `mutation($id: ID!, $input: SendGiftCardInput!) {
  sendGiftCard(id: $id, input: $input) { giftCard { ${SHOWN} } userErrors { code message field } } }`
const send = async (id: string, email: string, message: string | null = null, who: Identity = nell) =>
  (await shop.gql(SEND, { id, input: { email, message } }, who)).data.sendGiftCard
const refused = (code: string, message: string) => ({
  giftCard: null,
  userErrors: [expect.objectContaining({ code, message })],
})

async function buyCard(price = 5000, buyer = nell) {
  const gift = await makeProduct(shop.em(), { price, countInStock: 1_000_000, isDownload: true, isGiftCard: true })
  const { id } = await bought(shop, buyer, [line(gift)])
  const { order } = await ask(shop, buyer, `query($id: ID!) { order(id: $id) { boughtGiftCards { ${SHOWN} } } }`, {
    id,
  })
  return { orderId: id as string, card: nth(order.boughtGiftCards, 0) }
}
let serial = 0
const somebody = () => `friend-${++serial}@example.com`

describe('a gift card that was bought', () => {
  it('is mailed to whom its buyer says, with their name and words, and not with the words of an order', async () => {
    const { card } = await buyCard()
    expect(card).toMatchObject({ sentTo: null, canBeSent: true })
    const wren = somebody()
    expect(await send(card.id, ` ${wren} `, 'Happy birthday!\nFor socks.')).toEqual({
      giftCard: { ...card, sentTo: wren },
      userErrors: [],
    })
    const [letter] = await mailsTo(shop, wren)
    expect(letter.subject).toBe('A gift card over $50.00 for you')
    for (const words of ['Nell has given you a gift card', 'Happy birthday!', 'For socks.', card.code])
      expect(letter.text).toContain(words)
    // Its buyer has the letter with the code, too, and no more than that.
    const letters = await mailsTo(shop, nell.user.email, 3)
    expect(letters.map(({ text }) => text).join()).not.toContain('Happy birthday')
  })

  it('goes to another address once more, and three times in all', async () => {
    const { card } = await buyCard()
    const addresses = [somebody(), somebody(), somebody(), somebody()] as const
    for (const [place, address] of addresses.slice(0, 3).entries())
      expect((await send(card.id, address)).giftCard).toMatchObject({ sentTo: address, canBeSent: place < 2 })
    expect(await send(card.id, addresses[3])).toEqual(
      refused('INVALID', 'This gift card was sent three times. Please copy its code, and hand it on yourself.'),
    )
    await mailsTo(shop, addresses[2])
    expect(await shop.em().execute('select email, sends from gift_cards where id = ?', [card.id])).toEqual([
      { email: addresses[2], sends: 3 },
    ])
  })

  it('goes out three times at most when it is sent many times at once', async () => {
    const { card } = await buyCard()
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(card.id, somebody())))
    expect(answers.filter(({ giftCard }) => giftCard)).toHaveLength(3)
  })

  it('is not sent by anybody else, not by who runs the shop, and not before it is paid', async () => {
    const { card } = await buyCard()
    const nobody = refused('NOT_FOUND', 'There is no such gift card.')
    expect(await send(card.id, somebody(), null, await makeUser(shop.em()))).toEqual(nobody)
    expect(await send(card.id, somebody(), null, admin)).toEqual(nobody)
    expect(await send('nothing', somebody())).toEqual(nobody)
    const visitor = await shop.gql(SEND, { id: card.id, input: { email: somebody() } })
    expect(visitor.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
    const { issueGiftCard } = await ask(
      shop,
      admin,
      'mutation($input: GiftCardInput!) { issueGiftCard(input: $input) { giftCard { id } } }',
      { input: { amount: 1000, idempotencyKey: crypto.randomUUID() } },
    )
    expect(await send(issueGiftCard.giftCard?.id ?? '', somebody())).toEqual(nobody)
    const unpaid = await placed(shop, nell, [
      line(await makeProduct(shop.em(), { price: 700, countInStock: 9, isDownload: true, isGiftCard: true })),
    ])
    expect(await shop.em().execute('select 1 from gift_cards where order_id = ?', [unpaid.id])).toEqual([])
  })

  it('is not sent once nothing is left on it, or the shop has stopped it', async () => {
    const nothing = refused('INVALID', 'There is nothing left on this gift card.')
    const [spent, stopped] = [await buyCard(), await buyCard()]
    await shop.em().execute('update gift_cards set balance = 0 where id = ?', [spent.card.id])
    expect(await send(spent.card.id, somebody())).toEqual(nothing)
    await ask(
      shop,
      admin,
      'mutation($id: ID!) { updateGiftCard(id: $id, input: { isDisabled: true }) { userErrors { message } } }',
      { id: stopped.card.id },
    )
    expect(await send(stopped.card.id, somebody())).toEqual(nothing)
  })

  it.each([
    ['nobody', null, 'email', 'Please enter a valid email address.'],
    [
      'wren@example.com',
      'x'.repeat(limits.giftMessage + 1),
      'message',
      `Message can have at most ${limits.giftMessage} characters.`,
    ],
  ])('is not sent to %s with %s', async (email, message, field, words) => {
    const { card } = await buyCard()
    const { giftCard, userErrors } = await send(card.id, email, message)
    expect(giftCard).toBeNull()
    expect(userErrors).toMatchObject([{ code: 'INVALID', message: words, field: expect.arrayContaining([field]) }])
  })

  it('is sent by a guest who has the token of the order', async () => {
    const gift = await makeProduct(shop.em(), { price: 5000, countInStock: 9, isDownload: true, isGiftCard: true })
    const asGuest = async <const Document extends string>(
      query: Document,
      variables: object,
      orderToken?: string | null,
    ) => {
      const response = await shop.send(JSON.stringify({ query, variables }), {
        'content-type': 'application/json',
        ...(orderToken && { 'x-order-token': orderToken }),
      })
      return (await response.json()) as { data: DataOf<Document>; errors?: object[] }
    }
    const { placeOrder } = (
      await asGuest(
        'mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } orderToken userErrors { message } } }',
        { input: { lines: [line(gift)], shippingAddress: ADDRESS, guestEmail: somebody() } },
      )
    ).data
    const id = present(placeOrder.order).id
    await ask(
      shop,
      admin,
      'mutation($id: ID!) { recordPayment(orderId: $id, method: CASH) { userErrors { message } } }',
      { id },
    )
    const [card] = await shop.em().execute<[{ id: string }]>('select id from gift_cards where order_id = ?', [id])
    const input = { email: somebody() }
    expect((await asGuest(SEND, { id: card.id, input })).errors).toMatchObject([
      { extensions: { code: 'UNAUTHENTICATED' } },
    ])
    const { data } = await asGuest(SEND, { id: card.id, input }, placeOrder.orderToken)
    expect(data.sendGiftCard).toMatchObject({ giftCard: { sentTo: input.email }, userErrors: [] })
    await mailsTo(shop, input.email)
  })

  it('keeps nothing of what was written with it once its buyer’s account is deleted', async () => {
    const password = 'slip one, knit two'
    const leaving = await makeUser(shop.em(), { passwordHash: await hashPassword(password) })
    const { card } = await buyCard(5000, leaving)
    const friend = somebody()
    await send(card.id, friend, 'For my dear friend.', leaving)
    await mailsTo(shop, friend)
    const { deleteAccount } = await ask(
      shop,
      leaving,
      'mutation($proof: AccountProofInput!) { deleteAccount(proof: $proof) { userErrors { message } } }',
      { proof: { currentPassword: password } },
    )
    expect(deleteAccount.userErrors).toEqual([])
    expect(await shop.em().execute('select email, message from gift_cards where id = ?', [card.id])).toEqual([
      { email: friend, message: null },
    ])
  })
})
