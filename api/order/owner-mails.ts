import { formatCents } from '#schema/rules/money'
import { ownersAddress } from '../account/owners-address.ts'
import { writeLetter, type Letter, type Part, type Shop, type Templates } from '../mail/template.ts'
import { batched } from '../query/batch.ts'
import { findToldOrders } from './find-order.ts'
import { OrderIncident } from './order-incident.entity.ts'
import { bill, destination } from './order-mails.ts'
import type { Order } from './order.entity.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
    /** An order was paid. */
    ORDER_RECEIVED: { orderId: string }
    /** Something about an order wants a person. */
    ORDER_ATTENTION: { incidentId: string }
  }
}

async function writeReceived(shop: Shop, { orderId }: { orderId: string }): Promise<Letter | null> {
  const told = await batched(shop.reader, findToldOrders, orderId)
  if (!told) return null
  const { order, lines } = told
  return writeToOwner(shop, `New order ${order.reference}: ${formatCents(order.totalPrice)}`, [
    `${buyerOf(order)} ordered this and has paid for it.`,
    ...(order.customerNote ? [`They say: ${order.customerNote}`] : []),
    bill(order, lines),
    destination(order),
    see(shop, order, order.isDownload ? 'See the order' : 'Pack and send it'),
  ])
}

/** Null once somebody has dealt with it. */
async function writeAttention(shop: Shop, { incidentId }: { incidentId: string }): Promise<Letter | null> {
  const incident = await shop.em.findOne(OrderIncident, { id: incidentId, resolvedAt: null })
  const told = incident && (await batched(shop.reader, findToldOrders, incident.orderId))
  if (!told) return null
  const { order } = told
  return writeToOwner(shop, `Order ${order.reference} needs you`, [
    `About the order of ${buyerOf(order)}, over ${formatCents(order.totalPrice)}:`,
    incident.message,
    see(shop, order, 'Look at the order'),
  ])
}

/** What the owner is mailed about orders. */
export const ownerMails = {
  ORDER_RECEIVED: writeReceived,
  ORDER_ATTENTION: writeAttention,
} satisfies Partial<Templates>

async function writeToOwner(shop: Shop, subject: string, parts: Part[]): Promise<Letter | null> {
  const recipient = await ownersAddress(shop.reader, shop.contact)
  return recipient ? writeLetter(shop, { recipient, subject, name: '', parts }) : null
}

const see = ({ shopUrl }: Shop, { id }: Order, label: string): Part => ({ link: `${shopUrl}/order/${id}`, label })

const buyerOf = ({ userName, userEmail }: Order) => (userEmail ? `${userName} (${userEmail})` : userName)
