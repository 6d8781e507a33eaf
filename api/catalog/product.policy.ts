import type { User } from '../account/user.entity.ts'
import type { Product } from './product.entity.ts'

/** Who may see a product: everyone while it is for sale, administrators while it is a draft, nobody once it is archived. */
export const canView = (user: User | null, product: Product) => product.isForSale || Boolean(user?.isAdmin && !product.archivedAt)
