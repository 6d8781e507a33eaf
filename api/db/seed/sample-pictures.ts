import type { ProductPicture } from '../../catalog/product.entity.ts'
import type { SampleProduct } from './catalogue.ts'
import { swatchOf } from './swatches.ts'

const SIDE = 1000

/** The pictures of a sample product, which lie ready in `pictures`. */
export function picturesOf(product: SampleProduct): ProductPicture[] {
  const { slug, name } = product
  const swatch = swatchOf(product)
  const picture = (file: string, alt: string) => ({ image: `/images/${file}.webp`, alt, width: SIDE, height: SIDE })
  if (!swatch) return [picture(slug, name)]
  return [
    picture(slug, name),
    picture(`${slug}-swatch`, `Knitted swatch of ${name}, ${swatch.stitches} stitches over 10 cm, under a ruler`),
    picture(`${slug}-ply`, `${name} under a lens, its plies and fibres`),
  ]
}
