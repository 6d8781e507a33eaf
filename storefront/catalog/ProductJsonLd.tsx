import { useContext } from 'react'
import type { CartProductFragment } from '../cart/CartProduct.gql.ts'
import { OriginContext } from '../app/Head.tsx'
import { toDecimal } from '#schema/rules/money'
import { paths } from '../paths.ts'
import { JsonLd } from './JsonLd.tsx'
import { absolute } from './OpenGraph.tsx'

/** The product as search engines read it. */
export function ProductJsonLd({ product }: { product: CartProductFragment }) {
  const origin = useContext(OriginContext)
  const { id, name, description, image, category, price, countInStock, rating, numReviews } = product
  const data = {
    '@type': 'Product',
    name,
    description,
    sku: id,
    category,
    image: absolute(origin, image),
    offers: {
      '@type': 'Offer',
      url: origin + paths.product(id, name),
      price: toDecimal(price),
      priceCurrency: 'USD',
      availability: `https://schema.org/${countInStock > 0 ? 'InStock' : 'OutOfStock'}`,
    },
    ...(numReviews > 0 && {
      aggregateRating: { '@type': 'AggregateRating', ratingValue: rating.toFixed(1), reviewCount: numReviews },
    }),
  }
  return <JsonLd data={data} />
}
