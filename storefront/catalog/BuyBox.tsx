import { useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { styled } from 'styled-components'
import { cart, FULL_CART } from '../cart/cart.ts'
import type { CartProductFragment } from '../cart/CartProduct.gql.ts'
import { paths } from '../paths.ts'
import { color, size, space, weight } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { BasketIcon } from '../ui/icons.tsx'
import { Money } from '../ui/Money.tsx'
import { Notice } from '../ui/Notice.tsx'
import { QuantitySelect } from '../ui/QuantitySelect.tsx'
import { SkeinCalculator } from './SkeinCalculator.tsx'
import type { SkeinFactsFragment } from './SkeinCalculator.gql.ts'

/** Few enough left to say so. */
const LAST_FEW = 5

/** Price, availability, how many, and into the cart. */
export function BuyBox({ product }: { product: CartProductFragment & SkeinFactsFragment }) {
  const [quantity, setQuantity] = useState(1)
  const [isFull, setIsFull] = useState(false)
  const navigate = useNavigate()
  const { price, countInStock } = product
  const inStock = countInStock > 0

  const add = () => {
    if (cart.add(product, quantity)) void navigate(paths.cart())
    else setIsFull(true)
  }

  return (
    <Box>
      <Line>
        <Price cents={price} />
        <Availability $inStock={inStock}>
          {inStock ? 'In Stock' : 'Out of Stock'}
          {inStock && countInStock <= LAST_FEW && <span> · only {countInStock} left</span>}
        </Availability>
      </Line>
      <Order>
        {inStock && (
          <QuantitySelect value={Math.min(quantity, countInStock)} max={countInStock} onChange={setQuantity} />
        )}
        <Add>
          <Button wide icon={<BasketIcon size={20} />} disabled={!inStock} onClick={add}>
            Add to Cart
          </Button>
        </Add>
      </Order>
      <SkeinCalculator product={product} onTake={setQuantity} />
      {isFull && (
        <Notice variant="danger" action={<Link to={paths.cart()}>Go to your cart</Link>}>
          {FULL_CART}
        </Notice>
      )}
    </Box>
  )
}

const Box = styled.div`
  display: grid;
  gap: ${space[4]};
`
const Line = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: ${space[2]} ${space[4]};
`
const Order = styled.div`
  display: flex;
  align-items: flex-start;
  gap: ${space[3]};
`
const Price = styled(Money)`
  font-size: ${size.h2};
  font-weight: ${weight.strong};
`
const Availability = styled.p<{ $inStock: boolean }>`
  display: flex;
  align-items: baseline;
  gap: 0.4em;
  font-weight: ${weight.strong};
  color: ${({ $inStock }) => ($inStock ? color.success : color.textQuiet)};
  &::before {
    content: '';
    width: 0.55em;
    height: 0.55em;
    border: 1.5px solid currentcolor;
    border-radius: 50%;
    background: ${({ $inStock }) => ($inStock ? 'currentcolor' : 'transparent')};
  }
  span {
    font-weight: ${weight.regular};
    color: ${color.textQuiet};
  }
`
const Add = styled.div`
  flex: 1;
  max-width: 22rem;
`
