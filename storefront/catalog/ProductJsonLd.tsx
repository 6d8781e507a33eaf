import { useContext } from 'react'
import type { CartProductFragment } from '../cart/CartProduct.gql.ts'
import { variantName } from '#schema/rules/variant-name'
import { OriginContext } from '../app/Head.tsx'
import { toDecimal } from '#schema/rules/money'
import { paths } from '../paths.ts'
import { JsonLd } from './JsonLd.tsx'
import { absolute } from '../app/OpenGraph.tsx'
import type { VariantFragment } from './Variant.gql.ts'

interface ProductJsonLdProps {
  pictures: { image: string }[]
  product: CartProductFragment & Pick<VariantFragment, 'sku' | 'onSaleUntil'>
  group?: { id: string; name: string; maker: string; variesBy: 'COLOUR' | 'SIZE'; products: VariantFragment[] } | null
}

/** The product, with the others of its group, as search engines read it. */
export function ProductJsonLd({ product, group, pictures }: ProductJsonLdProps) {
  const origin = useContext(OriginContext)
  const { id, description, category, rating, numReviews } = product
  const image = pictures.map(picture => absolute(origin, picture.image))
  const ratings = numReviews > 0 && {
    aggregateRating: { '@type': 'AggregateRating', ratingValue: rating.toFixed(1), reviewCount: numReviews },
  }
  if (!group || group.products.length < 2)
    return <JsonLd data={{ ...offered(origin, product), image, description, category, ...ratings }} />

  const differsIn = group.variesBy === 'COLOUR' ? 'color' : 'size'
  const variants = group.products.map(variant => ({
    ...offered(origin, variant),
    [differsIn]: variantName(variant.name, group.name),
    ...(variant.id === id && { image, description, category, ...ratings }),
  }))
  return (
    <JsonLd
      data={{
        '@type': 'ProductGroup',
        name: group.name,
        description,
        productGroupID: group.id,
        ...(group.maker && { brand: { '@type': 'Brand', name: group.maker } }),
        variesBy: [`https://schema.org/${differsIn}`],
        hasVariant: variants,
      }}
    />
  )
}

function offered(
  origin: string,
  { id, sku, name, image, price, onSaleUntil, countInStock }: Omit<VariantFragment, '__typename'>,
) {
  return {
    '@type': 'Product',
    name,
    sku,
    productID: id,
    image: absolute(origin, image),
    offers: {
      '@type': 'Offer',
      url: origin + paths.product(id, name),
      price: toDecimal(price),
      priceCurrency: 'USD',
      ...(onSaleUntil && { priceValidUntil: onSaleUntil }),
      itemCondition: 'https://schema.org/NewCondition',
      availability: `https://schema.org/${countInStock > 0 ? 'InStock' : 'OutOfStock'}`,
    },
  }
}
