import { useSuspenseQuery } from '@apollo/client/react'
import type { FormEvent, Ref } from 'react'
import { styled } from 'styled-components'
import { metresOfYards } from '#schema/rules/facts/units'
import { formatCents } from '#schema/rules/money'
import { zonedMoment } from '#schema/rules/time-zone'
import { ShopDocument } from '../app/Shop.gql.ts'
import { FULL_CART } from '../cart/cart.ts'
import { DeliveryEstimate } from '../checkout/DeliveryEstimate.tsx'
import { useHydrated } from '../data/stored.ts'
import { Preorder } from './Preorder.tsx'
import { paths } from '../paths.ts'
import { StashHeart } from '../stash/StashHeart.tsx'
import { color, size, space, weight } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { BasketIcon } from '../ui/icons.tsx'
import { Link } from '../ui/Link.tsx'
import { Measure } from '../ui/Measure.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Price } from '../ui/Price.tsx'
import { QuantityStepper } from '../ui/QuantityStepper.tsx'
import type { BuyBoxFragment } from './BuyBox.gql.ts'
import { typeset } from './facts.ts'
import type { Buying } from './use-buying.ts'

/** From this many units down, the box says how many are left. */
const LAST_FEW = 5

interface BuyBoxProps {
  product: BuyBoxFragment
  buying: Buying
  /** The form that puts the product into the cart. */
  ref?: Ref<HTMLFormElement>
}

/** Price, availability, quantity and "add to cart", in a form that works without our script. */
export function BuyBox({ product, buying, ref }: BuyBoxProps) {
  const { id, name, price, compareAtPrice, onSaleUntil, countInStock, expectedOn, isDownload, isGiftCard, facts } =
    product
  const { pricingPolicy, delivery } = useSuspenseQuery(ShopDocument).data.shop
  const isHydrated = useHydrated()
  const { quantity, setQuantity, add, isFull } = buying
  const inStock = countInStock > 0
  const isSent = inStock && !isDownload
  const isAhead = inStock && expectedOn !== null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add(quantity)
  }

  return (
    <Box>
      <Line>
        <Cost cents={price} was={compareAtPrice} />
        {facts.pricePer100m !== null && (
          <Per>
            <Measure
              metric={typeset(`${formatCents(facts.pricePer100m)} per 100 m`)}
              us={typeset(`${formatCents(Math.round(metresOfYards(facts.pricePer100m)))} per 100 yd`)}
            />
          </Per>
        )}
        <Availability $inStock={inStock} $isHere={inStock && !isAhead}>
          {!inStock ? (
            'Out of Stock'
          ) : isAhead ? (
            <Preorder expectedOn={expectedOn} />
          ) : isDownload ? (
            isGiftCard ? (
              'Sent by email'
            ) : (
              'To download'
            )
          ) : (
            'In Stock'
          )}
          {inStock && countInStock <= LAST_FEW && <span> · only {countInStock} left</span>}
        </Availability>
      </Line>
      {pricingPolicy.taxIncluded && (
        <Per>
          With tax, without <Link to={paths.shopPage('shipping-and-returns')}>shipping</Link>
        </Per>
      )}
      {onSaleUntil !== null && (
        // The server does not know the shopper's time zone, so the time is in UTC until the page is hydrated.
        <Ends>The sale ends {zonedMoment(onSaleUntil, isHydrated ? undefined : 'UTC')}.</Ends>
      )}
      {isSent && <DeliveryEstimate expectedOn={expectedOn} />}
      {isSent && delivery.pickup && <DeliveryEstimate isPickup expectedOn={expectedOn} />}
      <Order ref={ref} method="post" action={paths.cart()} onSubmit={submit}>
        <input type="hidden" name="product" value={id} />
        {inStock && <QuantityStepper name="quantity" value={quantity} max={countInStock} onChange={setQuantity} />}
        <Add>
          <Button type="submit" wide icon={<BasketIcon size={20} />} disabled={!inStock}>
            {isAhead ? 'Pre-order' : 'Add to Cart'}
          </Button>
        </Add>
        <StashHeart productId={id} productName={name} />
      </Order>
      {isAhead && (
        <Per>You pay when you order, and it leaves as soon as it is here. What you order with it may leave sooner.</Per>
      )}
      {isFull && (
        <Notice variant="danger" action={<Link to={paths.cart()}>Go to your cart</Link>}>
          {FULL_CART}
        </Notice>
      )}
    </Box>
  )
}

const Box = styled.div`
  container-type: inline-size;
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[4]};
`
const Line = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: ${space[2]} ${space[4]};
`
const Order = styled.form`
  display: flex;
  flex-wrap: wrap;
  align-items: flex-start;
  gap: ${space[2]};
  @container (min-width: 26rem) {
    gap: ${space[3]};
  }
`
const Cost = styled(Price)`
  font-size: ${size.h2};
  font-weight: ${weight.strong};
`
const Per = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
const Ends = styled.p`
  font-size: ${size.sm};
`
const Availability = styled.p<{ $inStock: boolean; $isHere: boolean }>`
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
    background: ${({ $isHere }) => ($isHere ? 'currentcolor' : 'transparent')};
    @media (forced-colors: active) {
      background: ${({ $isHere }) => ($isHere ? 'CanvasText' : 'Canvas')};
    }
  }
  span {
    font-weight: ${weight.regular};
    color: ${color.textQuiet};
  }
`
const Add = styled.div`
  flex: 1 1 10rem;
  max-width: 22rem;
  button {
    white-space: nowrap;
  }
  /* Stepper, button and heart stay in one row, and where they cannot, the heart stays beside the stepper. */
  @container (max-width: 25.99rem) {
    flex-basis: 6.5rem;
    button {
      padding-inline: ${space[2]};
    }
    svg {
      display: none;
    }
  }
  @container (max-width: 20.99rem) {
    flex-basis: 100%;
    order: 1;
    max-width: none;
  }
`
