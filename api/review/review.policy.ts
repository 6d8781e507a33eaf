import type { User } from '../account/user.entity.ts'
import type { Product } from '../catalog/product.entity.ts'
import type { Review } from './review.entity.ts'

/** Who may see a review: everyone while it is shown and its product for sale; its writer and administrators always. */
export const canView = (user: User | null, review: Review, product: Product) =>
  (!review.isHidden && product.isForSale) || (user !== null && (user.isAdmin || user.id === review.userId))
