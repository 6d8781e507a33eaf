import { addressLines } from '#schema/rules/address-lines'
import type { Refund } from '../payment/refund.entity.ts'
import { collect, drawHead, drawParties, numberPages, openDocument } from '../pdf/letterhead.ts'
import type { Stationery } from '../pdf/paper.ts'
import { drawLines, drawTotals } from './draw-invoice-lines.ts'
import type { Order, ShippingAddress } from './order.entity.ts'

interface Invoice extends Stationery {
  order: Order
  /** The person it is for; kept apart for orders that forgot them. */
  recipient?: ShippingAddress | undefined
  /** Refunds that did not fail, oldest first. */
  refunds: readonly Refund[]
}

/**
 * The invoice of an order, tagged: a screen reader finds headings, and which figure belongs to which
 * line. The same order always gives the same bytes.
 */
export async function drawInvoice({ order, recipient, refunds, seller, timeZone, paper }: Invoice): Promise<Buffer> {
  const { contact, shopUrl } = seller
  const title = `${contact.name} invoice ${order.reference}`
  const pdf = openDocument({ paper, title, shopName: contact.name, date: order.paidAt ?? order.createdAt })
  const day = (date: Date) => new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(date)
  const root = pdf.struct('Document')
  pdf.addStructure(root)

  drawHead(pdf, root, contact.name, [
    ['Invoice', order.reference],
    ['Ordered', day(order.createdAt)],
    ...(order.paidAt ? [['Paid', day(order.paidAt)] as const] : []),
    ...(order.deliveredAt && !order.isDownload
      ? [[order.isPickup ? 'Picked up' : 'Delivered', day(order.deliveredAt)] as const]
      : []),
  ])
  const to = recipient ?? order.shippingAddress
  const taxId = contact.taxId && `Tax ID ${contact.taxId}`
  drawParties(pdf, root, [
    { label: 'Seller', lines: [contact.name, contact.address, contact.email, shopUrl, taxId] },
    {
      label: order.isPickup ? 'Picked up by' : order.isDownload ? 'Buyer' : 'Ship to',
      lines: [...(order.isPickup ? [to.name] : addressLines(to)), order.userEmail],
    },
  ])
  await drawLines(pdf, root, order.items.getItems())
  drawTotals(pdf, root, order, refunds, day)
  root.end()
  numberPages(pdf, title, 0, pdf.bufferedPageRange().count)
  return collect(pdf)
}
