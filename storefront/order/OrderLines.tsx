import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { dyeLots, type LotPortion } from '#schema/rules/lots'
import { Preorder } from '../catalog/Preorder.tsx'
import { paths } from '../paths.ts'
import { color, font, size, space } from '../theme/tokens.ts'
import { Link } from '../ui/Link.tsx'
import { Money } from '../ui/Money.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Problem } from '../ui/Problem.tsx'

export interface OrderLine {
  productId: string
  name: string
  image: string
  /** Unit price in cents. */
  price: number
  quantity: number
  /** The dye lots it is filled from. */
  lots?: readonly LotPortion[]
  /** In a cart, the choice of dye lots where there is one to make. */
  lotChoice?: ReactNode
  /** The day its units are expected; null once they are here. */
  expectedOn: string | null
  /** What a code took off the line, in cents. */
  discount?: number
  /** False when it is not sold any more; its page says so and suggests other products. */
  isForSale?: boolean
  /** Why it cannot be ordered like this. */
  problem?: string
}

/** Where the problem of a line stands. */
export const problemId = (productId: string) => `problem-${productId}`

/** What is ordered: before the order is placed and ever after. */
export function OrderLines({ lines }: { lines: readonly OrderLine[] }) {
  return (
    <List>
      {lines.map(line => (
        <li key={line.productId}>
          <Picture src={line.image} alt="" sizes="4.5rem" />
          <div>
            <Link to={paths.product(line.productId, line.name)}>{line.name}</Link>
            <Sum>
              {line.quantity} × <Money cents={line.price} />
            </Sum>
            {line.discount ? (
              <Sum>
                Less <Money cents={line.discount} /> by code
              </Sum>
            ) : null}
            {line.expectedOn !== null && (
              <Sum>
                <Preorder expectedOn={line.expectedOn} />
              </Sum>
            )}
            {line.lots && line.lots.length > 0 && <Sum>{dyeLots(line.lots)}</Sum>}
            {line.isForSale &&
              line.lots?.map(({ code }) => (
                <More key={code} to={paths.lot(line.productId, line.name, code)}>
                  More of lot {code}
                </More>
              ))}
            {line.lotChoice}
            {line.isForSale === false && <Sum>No longer sold</Sum>}
            {line.problem && <Problem id={problemId(line.productId)}>{line.problem}</Problem>}
          </div>
          <Money cents={line.price * line.quantity} />
        </li>
      ))}
    </List>
  )
}

const List = styled.ul`
  padding: 0;
  list-style: none;
  li {
    display: flex;
    /* With large letters picture, name and figure stand below one another. */
    flex-wrap: wrap;
    gap: ${space[2]} ${space[4]};
    align-items: center;
    padding-block: ${space[3]};
    border-bottom: 1px solid ${color.line};
  }
  li > :nth-child(1) {
    flex: 0 0 4.5rem;
  }
  li > :nth-child(2) {
    flex: 1 1 6.5rem;
    min-width: 0;
  }
  li > :nth-child(3) {
    margin-left: auto;
  }
  li:first-child {
    border-top: 1px solid ${color.line};
  }
  a {
    font: ${size.lg} / 1.2 ${font.serif};
    text-decoration: none;
    &:hover {
      text-decoration: underline;
    }
  }
`

const More = styled(Link)`
  && {
    display: inline-block;
    margin-right: ${space[3]};
    padding-block: ${space[1]};
    font: inherit;
    font-size: ${size.sm};
    text-decoration: underline;
  }
`

const Sum = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
