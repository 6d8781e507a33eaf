import { useSuspenseQuery } from '@apollo/client/react'
import { styled } from 'styled-components'
import { Head } from '../app/Head.tsx'
import { paths } from '../paths.ts'
import { measure, space } from '../theme/tokens.ts'
import { Cluster } from '../ui/Cluster.tsx'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { AlsoViewed } from './AlsoViewed.tsx'
import { DiscontinuedProductDocument } from './DiscontinuedProduct.gql.ts'
import { ProductName } from './ProductName.tsx'

/** In place of a product that is not sold any more: old orders, bookmarks and search engines still lead to it. */
export function DiscontinuedProduct({ id }: { id: string }) {
  const product = useSuspenseQuery(DiscontinuedProductDocument, { variables: { id } }).data.discontinuedProduct
  if (!product) throw new Response(null, { status: 404 })
  const { name, category } = product
  return (
    <>
      <Head title={`${name}: no longer sold`} />
      <Words>
        <h1>
          <ProductName name={name} />
        </h1>
        <p>This is no longer sold, and will not come back. If you have ordered it, your order keeps all its details.</p>
        <Cluster>
          {category && (
            <LinkButton as={Link} to={paths.search(category)}>
              Find more in {category}
            </LinkButton>
          )}
          <LinkButton as={Link} to={paths.home()} $variant={category ? 'quiet' : 'primary'}>
            Browse all products
          </LinkButton>
        </Cluster>
      </Words>
      <AlsoViewed />
    </>
  )
}

const Words = styled.div`
  display: grid;
  gap: ${space[5]};
  max-width: ${measure.text};
  margin-block: ${space[4]} ${space[8]};
`
