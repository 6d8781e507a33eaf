import { memo } from 'react'
import { styled } from 'styled-components'
import { from, space, upTo } from '../theme/tokens.ts'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import type { ProductCardFragment } from './ProductCard.gql.ts'
import { ProductCard, ProductCardSkeleton } from './ProductCard.tsx'

interface ProductGridProps {
  products: ProductCardFragment[]
  /** How many pictures are in view at once. */
  eager?: number
  onOpen?: () => void
}

/** Stays as it is while another list is on its way. */
export const ProductGrid = memo(function ProductGrid({ products, eager = 0, onOpen }: ProductGridProps) {
  return (
    <Wall>
      {products.map((product, index) => (
        <ProductCard key={product.id} product={product} priority={index < eager ? 'high' : undefined} onOpen={onOpen} />
      ))}
    </Wall>
  )
})

export function ProductGridSkeleton({ count = 12 }: { count?: number }) {
  return (
    <Wall role="status">
      <VisuallyHidden>Loading products</VisuallyHidden>
      {Array.from({ length: count }, (_, index) => (
        <ProductCardSkeleton key={index} />
      ))}
    </Wall>
  )
}

const Wall = styled.div`
  display: grid;
  grid-template-columns: ${upTo(2, '8rem')};
  /* Rows are what cards are made of (subgrid); the room between cards is inside them. */
  gap: 0 ${space[4]};
  ${from.tablet} {
    grid-template-columns: repeat(3, minmax(0, 1fr));
    column-gap: ${space[5]};
  }
  ${from.desktop} {
    grid-template-columns: repeat(3, minmax(0, 1fr));
    column-gap: ${space[6]};
  }
`
