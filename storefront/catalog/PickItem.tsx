import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { paths } from '../paths.ts'
import { font, size, space, weight } from '../theme/tokens.ts'
import { Link } from '../ui/Link.tsx'
import { Money } from '../ui/Money.tsx'
import { Picture } from '../ui/Picture.tsx'
import { ProductName } from './ProductName.tsx'

interface PickItemProps {
  product: { id: string; name: string; image: string; price: number }
  /** How wide its picture is shown, as in the `sizes` attribute. */
  sizes: string
  /** One of many in a row. */
  small?: boolean
  /** A line under the price. */
  children: ReactNode
}

/** A product in a row of a few: four lines of a grid, so that names, prices and what is below stand level. */
export function PickItem({ product: { id, name, image, price }, sizes, small = false, children }: PickItemProps) {
  return (
    <Item $small={small}>
      <Picture src={image} alt="" sizes={sizes} />
      <h3>
        <Link to={paths.product(id, name)}>
          <ProductName name={name} />
        </Link>
      </h3>
      <Price cents={price} $small={small} />
      {children}
    </Item>
  )
}

const Item = styled.li<{ $small: boolean }>`
  position: relative;
  display: grid;
  grid-row: span 4;
  grid-template-rows: subgrid;
  min-width: 0;
  padding-bottom: ${({ $small }) => ($small ? space[5] : space[6])};
  h3 {
    overflow-wrap: anywhere;
    margin-top: ${space[2]};
    font: ${weight.medium} ${({ $small }) => ($small ? size.md : size.lg)} / 1.2 ${font.serif};
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
const Price = styled(Money)<{ $small: boolean }>`
  margin-top: ${space[1]};
  font-size: ${({ $small }) => ($small ? 'inherit' : size.lg)};
  font-weight: ${weight.strong};
`
