import type { Product } from '../catalog/product.entity.ts'
import { isManager, type Asker } from '../context.ts'
import type { Review } from './review.entity.ts'

/** Who may see a review: everyone while it is shown and its product for sale; its writer and administrators always. */
export const canView = (asker: Asker, review: Review, product: Product) =>
  (!review.isHidden && product.isForSale) || isManager(asker) || asker.user?.id === review.userId
