import { useSuspenseQuery } from '@apollo/client/react'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { priceCart, termsFor } from '#schema/rules/pricing'
import { ShopDocument } from '../app/Shop.gql.ts'
import { Preorder } from '../catalog/Preorder.tsx'
import { paths } from '../paths.ts'
import { color, font, size, space } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { controlLook } from '../ui/Field.tsx'
import { Link } from '../ui/Link.tsx'
import { Money } from '../ui/Money.tsx'
import { NeedsScript } from '../ui/NeedsScript.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Price } from '../ui/Price.tsx'
import { PriceSummary } from '../ui/PriceSummary.tsx'
import { Stack } from '../ui/Stack.tsx'
import { type CartItem, FULL_CART, linesOf } from './cart.ts'

/** What the server shows of a cart without script. */
export interface PlainCartState {
  /** The items at today's prices, no more of each than is in stock. */
  items: CartItem[]
  /** How many products are no longer for sale. */
  gone: number
  /** The names of those that are sold out. */
  soldOut: string[]
  /** How many products have less stock than was wanted. */
  lowered: number
  /** True when there was no room for another product. */
  isFull: boolean
}

/** The cart made of forms, which works before our script runs and without it. */
export function PlainCart({ items, gone, soldOut, lowered, isFull }: PlainCartState) {
  const { pricingPolicy } = useSuspenseQuery(ShopDocument).data.shop
  const { itemsPrice, shippingPrice, totalPrice, ...tax } = priceCart(linesOf(items), termsFor(pricingPolicy, null))
  const units = items.reduce((sum, { quantity }) => sum + quantity, 0)
  return (
    <Stack $gap={5}>
      <h1>Your cart</h1>
      {isFull && <Notice variant="danger">{FULL_CART}</Notice>}
      {gone > 0 && (
        <Notice variant="warning">
          {gone === 1 ? 'One product is no longer for sale and is' : `${gone} products are no longer for sale and are`}{' '}
          not in your cart any more.
        </Notice>
      )}
      {soldOut.map(name => (
        <Notice key={name} variant="warning">{`“${name}” is sold out and is not in your cart any more.`}</Notice>
      ))}
      {lowered > 0 && <Notice variant="warning">There is less left of something than you wanted: see below.</Notice>}
      {items.length === 0 && (
        <Notice variant="danger" action={<Link to={paths.home()}>Browse our yarns</Link>}>
          Your cart is empty.
        </Notice>
      )}
      <Lines>
        {items.map(item => (
          <li key={item.id}>
            <Picture src={item.image} alt="" sizes="5.5rem" />
            <div>
              <Name to={paths.product(item.id, item.name)}>{item.name}</Name>
              <p>
                <Price cents={item.price} was={item.compareAtPrice} /> each,{' '}
                <Money cents={item.price * item.quantity} /> in all
              </p>
              {item.expectedOn !== null && (
                <p>
                  <Preorder expectedOn={item.expectedOn} />
                </p>
              )}
              <Change method="post" action={paths.cart()} data-plain="yes">
                <input type="hidden" name="product" value={item.id} />
                <input
                  type="number"
                  name="quantity"
                  aria-label={`Quantity of ${item.name}`}
                  min={0}
                  max={Math.min(item.countInStock, limits.stock)}
                  defaultValue={item.quantity}
                  required
                />
                <Button type="submit" variant="quiet" aria-label={`Change the quantity of ${item.name}`}>
                  Change
                </Button>
              </Change>
              <Change method="post" action={paths.cart()} data-plain="yes">
                <input type="hidden" name="product" value={item.id} />
                <input type="hidden" name="quantity" value="0" />
                <Button type="submit" variant="quiet" aria-label={`Remove ${item.name}`}>
                  Remove
                </Button>
              </Change>
            </div>
          </li>
        ))}
      </Lines>
      {items.length > 0 && (
        <section aria-label="Summary">
          <PriceSummary
            rows={[
              {
                label: `Subtotal (${units} ${units === 1 ? 'item' : 'items'})`,
                value: <Money cents={itemsPrice} />,
              },
              { label: 'Shipping', value: shippingPrice === 0 ? 'Free' : <Money cents={shippingPrice} /> },
            ]}
            tax={{ ...tax, taxIsOpen: pricingPolicy.taxRates.length > 0 }}
            total={{ label: 'Estimated total', value: <Money cents={totalPrice} /> }}
          />
        </section>
      )}
      <NeedsScript>
        Discount codes, ordering and paying need JavaScript: PayPal does not work without it. Turn it on for this shop
        and load this page again. What is in your cart stays there.
      </NeedsScript>
    </Stack>
  )
}

const Lines = styled.ul`
  padding: 0;
  list-style: none;
  li {
    display: grid;
    grid-template-columns: 5.5rem minmax(0, 1fr);
    gap: ${space[4]};
    padding-block: ${space[4]};
    border-bottom: 1px solid ${color.line};
  }
`
const Name = styled(Link)`
  font: ${size.lg} / 1.2 ${font.serif};
`
const Change = styled.form`
  display: inline-flex;
  gap: ${space[2]};
  margin: ${space[2]} ${space[2]} 0 0;
  input {
    ${controlLook}
    width: 6rem;
  }
`
