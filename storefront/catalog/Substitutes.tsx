import { Link } from 'react-router-dom'
import { styled } from 'styled-components'
import { counted } from '#schema/rules/skeins'
import { paths } from '../paths.ts'
import { color, font, from, size, space, weight } from '../theme/tokens.ts'
import { Money } from '../ui/Money.tsx'
import { Picture } from '../ui/Picture.tsx'
import type { AlikeFragment } from './Alike.gql.ts'
import { CostDifference } from './CostDifference.tsx'
import { ProductName } from './ProductName.tsx'

/** The closest yarns that can be had, each with what takes the place of one skein. */
export function Substitutes({ product, isSoldOut }: { product: AlikeFragment; isSoldOut: boolean }) {
  const { substitutes } = product
  if (substitutes.length === 0) return null
  return (
    <section aria-labelledby="substitutes">
      <Title id="substitutes">{isSoldOut ? 'Sold out: yarns that knit like it' : 'Yarns that knit like it'}</Title>
      <Shelf>
        {substitutes.map(({ product: other, skeins, costsMore }) => (
          <Item key={other.id} id={other.id} name={other.name} image={other.image} price={other.price}>
            {skeins === 1 ? 'One for one' : `${counted(skeins)} for one`}, <CostDifference cents={costsMore} />
          </Item>
        ))}
      </Shelf>
    </section>
  )
}

/** Needles, hooks and kits for a yarn. */
export function GoesWith({ product }: { product: AlikeFragment }) {
  const { goesWith } = product
  if (goesWith.length === 0) return null
  return (
    <section aria-labelledby="goes-with">
      <Title id="goes-with">Goes with it</Title>
      <Shelf>
        {goesWith.map(({ id, name, image, price, category }) => (
          <Item key={id} id={id} name={name} image={image} price={price}>
            {category}
          </Item>
        ))}
      </Shelf>
    </section>
  )
}

interface ItemProps {
  id: string
  name: string
  image: string
  price: number
  children: React.ReactNode
}

function Item({ id, name, image, price, children }: ItemProps) {
  return (
    <li>
      <Picture src={image} alt="" sizes="(min-width: 60rem) 16vw, 40vw" />
      <h3>
        <Link to={paths.product(id, name)}>
          <ProductName name={name} />
        </Link>
      </h3>
      <Price cents={price} />
      <Note>{children}</Note>
    </li>
  )
}

const Title = styled.h2`
  margin-bottom: ${space[4]};
`
const Shelf = styled.ul`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 0 ${space[4]};
  padding: 0;
  list-style: none;
  ${from.tablet} {
    grid-template-columns: repeat(4, minmax(0, 1fr));
  }
  ${from.desktop} {
    grid-template-columns: repeat(6, minmax(0, 1fr));
    column-gap: ${space[5]};
  }
  li {
    position: relative;
    display: grid;
    grid-row: span 4;
    grid-template-rows: subgrid;
    padding-bottom: ${space[5]};
  }
  h3 {
    margin-top: ${space[2]};
    font: ${weight.medium} ${size.md} / 1.2 ${font.serif};
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
const Price = styled(Money)`
  margin-top: ${space[1]};
  font-weight: ${weight.strong};
`
const Note = styled.p`
  font-size: ${size.sm};
  line-height: 1.35;
  color: ${color.textQuiet};
`
