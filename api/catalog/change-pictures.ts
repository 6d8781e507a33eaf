import type { EntityManager } from '@mikro-orm/postgresql'
import { nth, present } from '#schema/rules/present'
import { refuse } from '../kernel/errors.ts'
import type { Product, ProductPicture } from './product.entity.ts'
import type { Files } from '../kernel/files.ts'
import { keepUploads, sizeOfUpload } from './uploads.ts'

interface Wanted {
  image?: string | undefined
  pictures?: { image: string; alt: string }[] | undefined
}

/** Every address whose picture the product shows or keeps. */
export const addressesOf = ({ image, storedPictures }: Pick<Product, 'image' | 'storedPictures'>): string[] => [
  ...new Set([image, ...storedPictures.map(picture => picture.image)]),
]

/**
 * Gives a product its pictures, inside the caller's transaction. `image` alone takes the place of the first one. Others
 * than the first are the shop's own: uploaded, or the product's already.
 */
export async function changePictures(
  em: EntityManager,
  uploads: Files,
  product: Product,
  { image, pictures }: Wanted,
): Promise<void> {
  if (pictures && image !== undefined && nth(pictures, 0).image !== image)
    throw refuse('INVALID', 'The first of the pictures is the one in `image`.', { field: ['pictures'] })
  if (!pictures && (image === undefined || image === product.image)) return

  const before = new Map(product.pictures.map(picture => [picture.image, picture]))
  const wanted = pictures ?? [
    { image: present(image), alt: '' },
    ...product.pictures.slice(1).filter(other => other.image !== image),
  ]
  await keepUploads(em)
  const known = await Promise.all(
    wanted.map(async ({ image, alt }, place): Promise<ProductPicture | null> => {
      const size = await sizeOfUpload(uploads, image)
      if (!size && place > 0 && !before.has(image)) return null
      return { image, alt, width: size?.width ?? null, height: size?.height ?? null }
    }),
  )
  const place = known.indexOf(null)
  if (place >= 0)
    throw refuse('INVALID', `Picture ${place + 1} is not one that was uploaded to this shop. Please upload it again.`, {
      field: ['pictures'],
    })
  product.image = nth(wanted, 0).image
  product.storedPictures = known as ProductPicture[]
}
