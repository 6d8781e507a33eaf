import type { Product } from '../catalog/product.entity.ts'
import { isManager, type Asker } from '../context.ts'
import type { Review, ReviewPicture } from './review.entity.ts'

/** Who may see a review: everyone while it is shown and its product for sale; its writer and administrators always. */
export const canView = (asker: Asker, review: Review, product: Product) =>
  (!review.isHidden && product.isForSale) || isManager(asker, 'MODERATE_REVIEWS') || asker.user?.id === review.userId

/** The pictures that are shown. Those of a hidden review are not, even to its writer, who could pass on their addresses. */
export const shownPictures = (asker: Asker, review: Review): ReviewPicture[] =>
  review.isHidden && !isManager(asker, 'MODERATE_REVIEWS') ? [] : review.storedPictures
