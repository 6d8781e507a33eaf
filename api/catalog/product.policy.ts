import { isManager, type Asker } from '../context.ts'
import type { Product } from './product.entity.ts'

/** Who may see a product: everyone while it is for sale, administrators while it is a draft, nobody once it is archived. */
export const canView = (asker: Asker, product: Product) =>
  product.isForSale || (isManager(asker, 'WRITE_PRODUCTS') && !product.archivedAt)
