import { useSuspenseQuery } from '@apollo/client/react'
import { Link } from 'react-router-dom'
import { styled } from 'styled-components'
import { paths } from '../paths.ts'
import { font, from, size, space, weight } from '../theme/tokens.ts'
import { Money } from '../ui/Money.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Stars } from '../ui/Stars.tsx'
import { AlsoViewedDocument, type AlsoViewedQuery } from './AlsoViewed.gql.ts'
import { ProductName } from './ProductName.tsx'

/** The four best-rated products of the whole shop. */
export function AlsoViewed() {
  const { customersAlsoViewed } = useSuspenseQuery(AlsoViewedDocument).data
  if (customersAlsoViewed.length === 0) return null
  return (
    <section aria-labelledby="also-viewed">
      <Title id="also-viewed">Customers Also Viewed</Title>
      <PickRow picks={customersAlsoViewed} />
    </section>
  )
}

/** Four products at most, side by side. */
export function PickRow({ picks }: { picks: AlsoViewedQuery['customersAlsoViewed'] }) {
  return (
    <Row>
      {picks.map(({ id, name, image, price, rating }) => (
        <Item key={id}>
          <Picture src={image} alt="" sizes="(min-width: 60rem) 22vw, 44vw" />
          <h3>
            <Link to={paths.product(id, name)}>
              <ProductName name={name} />
            </Link>
          </h3>
          <Price cents={price} />
          <Stars rating={rating} figure />
        </Item>
      ))}
    </Row>
  )
}

const Title = styled.h2`
  margin-bottom: ${space[5]};
`
const Row = styled.ul`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 0 ${space[4]};
  padding: 0;
  list-style: none;
  ${from.desktop} {
    grid-template-columns: repeat(4, minmax(0, 1fr));
    column-gap: ${space[6]};
  }
`
const Price = styled(Money)`
  margin-top: ${space[1]};
  font-size: ${size.lg};
  font-weight: ${weight.strong};
`
const Item = styled.li`
  position: relative;
  display: grid;
  grid-row: span 4;
  grid-template-rows: subgrid;
  padding-bottom: ${space[6]};
  h3 {
    margin-top: ${space[2]};
    font: ${weight.medium} ${size.lg} / 1.2 ${font.serif};
  }
  a {
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
