import type { EntityManager } from '@mikro-orm/postgresql'
import type { ProductDownload } from '../catalog/product.entity.ts'
import type { BoughtDownload } from '../generated/types.ts'
import { read } from '../query/read.ts'

interface BoughtProduct extends Omit<BoughtDownload, 'orderedAt' | 'download'> {
  orderedAt: string
  downloads: ProductDownload[]
}

/** So many of the newest orders are looked through. */
const MOST_ORDERS = 1_000

/** What an account may download of all it has paid for, the newest order first. */
export async function listBoughtDownloads(em: EntityManager, userId: string): Promise<BoughtDownload[]> {
  const rows = await read<BoughtProduct>(
    em,
    `select o.id as "orderId", o.created_at as "orderedAt", i.product_id as "productId", i.name, i.image, p.downloads
     from (
       select id, created_at from orders where user_id = ? and paid_at is not null and refunded_amount < total_price - unpaid_amount
       order by created_at desc, id desc limit ${MOST_ORDERS}
     ) o
     join order_items i on i.order_id = o.id
     join products p on p.id = i.product_id and p.downloads <> '[]'
     order by o.created_at desc, o.id desc, i.position`,
    [userId],
  )
  const newest = new Map<string, BoughtDownload>()
  for (const { downloads, orderedAt, ...bought } of rows)
    for (const download of downloads)
      if (!newest.has(download.id)) newest.set(download.id, { ...bought, orderedAt: new Date(orderedAt), download })
  return [...newest.values()]
}
