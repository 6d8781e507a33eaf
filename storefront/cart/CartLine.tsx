import { styled } from 'styled-components'
import { Preorder } from '../catalog/Preorder.tsx'
import { paths } from '../paths.ts'
import { color, font, from, size, space } from '../theme/tokens.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Link } from '../ui/Link.tsx'
import { Money } from '../ui/Money.tsx'
import { TrashIcon } from '../ui/page-icons.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Price } from '../ui/Price.tsx'
import { QuantitySelect } from '../ui/QuantitySelect.tsx'
import type { CartItem } from './cart.ts'
import { LotChoice } from './LotChoice.tsx'

interface CartLineProps {
  item: CartItem
  onChange: (quantity: number) => void
  onRemove: () => void
}

/** A product in the cart, and how many of it. */
export function CartLine({ item, onChange, onRemove }: CartLineProps) {
  return (
    <li>
      <Picture src={item.image} alt="" sizes="(min-width: 40rem) 8rem, 5.5rem" />
      <Facts>
        <Name to={paths.product(item.id, item.name)}>{item.name}</Name>
        <Small>{[item.category, item.weight].filter(Boolean).join(' · ')}</Small>
        <Unit>
          <Price cents={item.price} was={item.compareAtPrice} />
        </Unit>
        {item.expectedOn !== null && (
          <Small>
            <Preorder expectedOn={item.expectedOn} />
          </Small>
        )}
        <LotChoice item={item} />
      </Facts>
      <Controls>
        <QuantitySelect
          label={`Quantity of ${item.name}`}
          value={item.quantity}
          max={item.countInStock}
          onChange={onChange}
        />
        <IconButton label={`Remove ${item.name}`} onClick={onRemove}>
          <TrashIcon size={20} />
        </IconButton>
        <LineTotal>
          <Money cents={item.price * item.quantity} />
        </LineTotal>
      </Controls>
    </li>
  )
}

const Facts = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[1]};
  align-content: start;
`

const Name = styled(Link)`
  font: ${size.lg} / 1.2 ${font.serif};
  text-decoration: none;
  &:hover {
    text-decoration: underline;
  }
`

const Small = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`

const Unit = styled.p`
  font-size: ${size.md};
`

const Controls = styled.div`
  grid-column: 1 / -1;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space[2]};
  ${from.tablet} {
    grid-column: auto;
  }
`

const LineTotal = styled.p`
  margin-left: auto;
  min-width: 6rem;
  font-size: ${size.lg};
  text-align: right;
`
