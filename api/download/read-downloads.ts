import type { EntityManager } from '@mikro-orm/postgresql'
import type { ProductDownload } from '../catalog/product.entity.ts'
import { batched, type Load } from '../query/batch.ts'

/** What products have to download, also those that are not sold any more. */
export const downloadsByProduct: Load<string, ProductDownload[]> = async (em, productIds) => {
  const rows = await em.execute<{ id: string; downloads: ProductDownload[] }[]>(
    `select id, downloads from products where id in (?) and downloads <> '[]'`,
    [productIds],
  )
  const found = new Map(rows.map(({ id, downloads }) => [id, downloads]))
  return productIds.map(id => found.get(id) ?? [])
}

/** What comes with a product of an order: nothing until it is paid, nor once all of the money went back. */
export async function downloadsOf(
  em: EntityManager,
  { isPaid, isRefunded }: { isPaid: boolean; isRefunded: boolean },
  productId: string,
): Promise<ProductDownload[]> {
  return isPaid && !isRefunded ? batched(em, downloadsByProduct, productId) : []
}
