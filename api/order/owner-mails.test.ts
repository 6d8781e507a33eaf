import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_DELIVERY } from '#schema/rules/delivery'
import { formatCents } from '#schema/rules/money'
import { Mail } from '../mail/mail.entity.ts'
import { mailsTo } from '../testing/mail.ts'
import { ADDRESS, approvedPayment, bought, capturePaypalOrder, line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { ownerMails } from './owner-mails.ts'
import { OrderIncident } from './order-incident.entity.ts'
import { recordIncident, resolveIncidents } from './record-incident.ts'

const CONTACT = { name: 'Skein', address: null, taxId: null }
const SHOP = { mail: { to: 'mailbox' }, shopUrl: 'https://skein.example' } as const

let shop: TestShop
let nell: Account
beforeAll(async () => {
  shop = await openShop({
    ...SHOP,
    contact: { ...CONTACT, email: 'counter@example.com' },
  })
  nell = await makeUser(shop.em(), { name: 'Nell', email: 'nell@example.com' })
})
afterAll(() => shop?.close())

const toOwner = (orderId: string) => shop.em().find(Mail, { kind: 'ORDER_RECEIVED', about: { orderId } })

describe('the owner', () => {
  it('is written to once an order is paid: who, what, how much and where it goes', async () => {
    const yarn = await makeProduct(shop.em(), { name: 'Moss', price: 2450 })
    const order = await placed(shop, nell, [line(yarn, 2)], { customerNote: 'A present, no hurry.' })
    expect(await toOwner(order.id)).toEqual([])
    const payment = await approvedPayment(shop, nell, order.id)
    for (let twice = 0; twice < 2; twice++) await capturePaypalOrder(shop, nell, order.id, payment)

    const [letter] = await mailsTo(shop, 'counter@example.com')
    expect(letter.subject).toBe(`New order ${order.reference}: ${formatCents(order.totalPrice)}`)
    expect(letter.text).toContain(
      'Nell (nell@example.com) ordered this and has paid for it.\n\nThey say: A present, no hurry.\n',
    )
    expect(letter.text).toContain(`2 × Moss: $49.00\n\nItems: $49.00\n`)
    expect(letter.text).toContain(`Goes to:\n${ADDRESS.name}\n${ADDRESS.address}\n`)
    expect(letter.text).toContain(`Pack and send it:\nhttps://skein.example/order/${order.id}\n`)
  })

  it('is written to about what a person has to look at, once each, unless somebody has done so', async () => {
    const order = await bought(shop, nell, [line(await makeProduct(shop.em()))])
    const happens = (captureId: string) =>
      shop.em().transactional(tx => recordIncident(tx, order.id, { code: 'PAID_TWICE', data: { captureId } }))
    for (let twice = 0; twice < 2; twice++) await happens('CAPTURE7')

    const [, , letter] = await mailsTo(shop, 'counter@example.com', 3)
    expect(letter.subject).toBe(`Order ${order.reference} needs you`)
    expect(letter.text).toContain(`About the order of Nell (nell@example.com), over ${formatCents(order.totalPrice)}:`)
    expect(letter.text).toContain('Paid a second time by PayPal capture CAPTURE7. Refund one of the two.')

    const incident = await shop.em().findOneOrFail(OrderIncident, { orderId: order.id })
    await resolveIncidents(shop.em(), { id: nell.user.id, name: 'Ada' }, order.id)
    expect(await ownerMails.ORDER_ATTENTION(counter(), { incidentId: incident.id })).toBeNull()
  })

  it('is whoever was the first administrator, where the shop has no address of its own', async () => {
    const order = await bought(shop, nell, [line(await makeProduct(shop.em()))])
    const write = () => ownerMails.ORDER_RECEIVED(counter(null), { orderId: order.id })
    expect(await write()).toBeNull()
    for (const name of ['first', 'second']) await makeUser(shop.em(), { email: `${name}@example.com`, isAdmin: true })
    expect(await write()).toMatchObject({ recipient: 'first@example.com' })
  })
})

/** Where letters are written, at this moment. */
const counter = (email: string | null = 'counter@example.com') => ({
  em: shop.em(),
  reader: shop.em(),
  shopUrl: SHOP.shopUrl,
  timeZone: 'UTC',
  contact: { ...CONTACT, email },
  delivery: DEFAULT_DELIVERY,
})
