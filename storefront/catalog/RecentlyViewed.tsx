import { useEffect } from 'react'
import { styled } from 'styled-components'
import { paths } from '../paths.ts'
import { font, from, size, space, weight } from '../theme/tokens.ts'
import { Link } from '../ui/Link.tsx'
import { Picture } from '../ui/Picture.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { ProductName } from './ProductName.tsx'
import { forgetViewed, rememberViewed, useRecentlyViewed, type Viewed } from './recently-viewed.ts'

/** What else was looked at in this browser; the product itself is remembered for the next page. */
export function RecentlyViewed({ product }: { product: Viewed }) {
  const others = useRecentlyViewed().filter(({ id }) => id !== product.id)
  const { id, name, image } = product
  useEffect(() => rememberViewed({ id, name, image }), [id, name, image])
  if (others.length === 0) return null
  return (
    <section aria-labelledby="recently-viewed">
      <Head>
        <h2 id="recently-viewed">Recently viewed</h2>
        <TextButton onClick={forgetViewed}>Clear</TextButton>
      </Head>
      <Row>
        {others.map(viewed => (
          <li key={viewed.id}>
            <Picture src={viewed.image} alt="" sizes="(min-width: 60rem) 150px, 30vw" />
            <Link to={paths.product(viewed.id, viewed.name)}>
              <ProductName name={viewed.name} />
            </Link>
          </li>
        ))}
      </Row>
    </section>
  )
}

const Head = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  justify-content: space-between;
  gap: ${space[2]} ${space[5]};
  margin-bottom: ${space[4]};
`
const Row = styled.ul`
  display: grid;
  grid-auto-flow: column;
  grid-auto-columns: minmax(7.5rem, 30%);
  gap: ${space[4]};
  padding: 0 0 ${space[3]};
  overflow-x: auto;
  scroll-snap-type: x proximity;
  list-style: none;
  ${from.desktop} {
    grid-auto-columns: minmax(0, 1fr);
    grid-template-columns: repeat(8, minmax(0, 1fr));
  }
  li {
    position: relative;
    min-width: 0;
    scroll-snap-align: start;
  }
  a {
    display: block;
    margin-top: ${space[2]};
    font: ${weight.medium} ${size.sm} / 1.25 ${font.serif};
    text-decoration: none;
  }
  a:hover {
    text-decoration: underline;
    text-decoration-thickness: 1px;
  }
  a::after {
    content: '';
    position: absolute;
    inset: 0;
  }
`
