import { useSuspenseQuery } from '@apollo/client/react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useLoaderData, useLocation, useNavigate } from 'react-router-dom'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { Head } from '../app/Head.tsx'
import { ShopDocument } from '../app/Shop.gql.ts'
import { AddressEstimate } from '../checkout/AddressEstimate.tsx'
import { paths } from '../paths.ts'
import { useHydrated } from '../data/stored.ts'
import { color, from, size, space, weight } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { Container } from '../ui/Container.tsx'
import { Link } from '../ui/Link.tsx'
import { Money } from '../ui/Money.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { adopt } from './adopt-plain-cart.ts'
import { cart, type CartItem, unitsOf, useCart, useCartPrices } from './cart.ts'
import { useCartCode } from './cart-code.ts'
import { CartChanges } from './CartChanges.tsx'
import { CartEstimate } from './CartEstimate.tsx'
import { CartLine } from './CartLine.tsx'
import type { CartChange } from './check-cart.ts'
import { CodeField } from './CodeField.tsx'
import { EmptyCart } from './EmptyCart.tsx'
import { FreeShipping } from './FreeShipping.tsx'
import { PlainCart, type PlainCartState } from './PlainCart.tsx'
import { PresumedCart } from './PresumedCart.tsx'
import { changePlainCart, loadCart } from './serve-plain-cart.ts'
import { useCartCheck } from './use-cart-check.ts'

// Only on the server: the browser has the cart in its storage.
export const loader = import.meta.env.SSR ? loadCart : undefined
export const action = import.meta.env.SSR ? changePlainCart : undefined

export default function CartPage() {
  const plain = (useLoaderData() as PlainCartState | null | undefined) ?? null
  // A layout effect, so that it runs before this browser's cart is read for the first time.
  useLayoutEffect(() => {
    if (plain) adopt(plain.items)
  }, [plain])
  const hydrated = useHydrated()
  return (
    <Container>
      <Head title="Your cart" description="The yarn and tools you are about to order." />
      {plain && !hydrated ? <PlainCart {...plain} /> : <CartInBrowser />}
    </Container>
  )
}

function CartInBrowser() {
  const current = useCart()
  const check = useCartCheck(changesOf(useLocation().state))
  const heading = useRef<HTMLHeadingElement>(null)
  const units = unitsOf(current)
  const empty = units === 0
  const tooMany = current.cartItems.length - limits.linesPerOrder
  const { unitsPerOrder } = useSuspenseQuery(ShopDocument).data.shop
  const tooManyUnits = unitsPerOrder !== null && units > unitsPerOrder

  const [news, setNews] = useState<News | null>(null)
  // The button that was pressed is gone; without this the focus would return to the top of the page.
  const focusHeading = () => heading.current?.focus()

  function remove(item: CartItem) {
    const place = current.cartItems.indexOf(item)
    cart.remove(item.id)
    setNews({ words: `“${item.name}” left your cart.`, undo: () => cart.putBack(item, place) })
    focusHeading()
  }
  function change(item: CartItem, quantity: number) {
    cart.setQuantity(item.id, quantity)
    setNews({
      words: `Quantity of “${item.name}” changed from ${item.quantity} to ${quantity}.`,
      undo: () => cart.setLots(item.id, item.askedLots, item.quantity),
    })
  }
  function undo() {
    news?.undo?.()
    setNews({ words: 'Your cart is as it was before.' })
    focusHeading()
  }

  return (
    <Columns>
      <Stack $gap={5}>
        <h1 ref={heading} tabIndex={-1}>
          Your cart
        </h1>
        <CartChanges check={check} />
        <Said role="status">
          {news?.words}
          {news?.undo && <TextButton onClick={undo}>Undo</TextButton>}
        </Said>
        <TooMuch
          products={current.cartItems.length}
          tooMany={tooMany}
          units={units}
          mostUnits={tooManyUnits ? unitsPerOrder : null}
        />
        {empty ? (
          <PresumedCart>
            <Notice variant="danger" action={<Link to={paths.home()}>Browse our yarns</Link>}>
              Your cart is empty.
            </Notice>
            <EmptyCart />
          </PresumedCart>
        ) : (
          <Lines>
            {current.cartItems.map(item => (
              <CartLine
                key={item.id}
                item={item}
                onChange={quantity => change(item, quantity)}
                onRemove={() => remove(item)}
              />
            ))}
          </Lines>
        )}
      </Stack>
      <CartSummary units={units} canOrder={!empty && tooMany <= 0 && !tooManyUnits} />
    </Columns>
  )
}

/** The cart's prices, and the way to checkout. */
function CartSummary({ units, canOrder }: { units: number; canOrder: boolean }) {
  const { shippingAddress } = useCart()
  const prices = useCartPrices()
  const code = useCartCode()
  const navigate = useNavigate()
  return (
    <Summary aria-label="Summary">
      <PresumedCart>
        <Subtotal>
          Subtotal ({units} {units === 1 ? 'item' : 'items'}) <Money cents={prices.itemsPrice} />
        </Subtotal>
        {code && prices.discount > 0 && (
          <Discount>
            Code {code.code} <Money cents={-prices.discount} />
          </Discount>
        )}
        {units > 0 && (
          <>
            <FreeShipping />
            <CodeField />
            <CartEstimate />
            <AddressEstimate to={shippingAddress} />
          </>
        )}
        <Button wide size="lg" disabled={!canOrder} onClick={() => void navigate(paths.login('shipping'))}>
          Proceed to Checkout
        </Button>
      </PresumedCart>
    </Summary>
  )
}

interface TooMuchProps {
  products: number
  /** How many products have to be removed; none when zero or less. */
  tooMany: number
  units: number
  /** The most units an order can have, when the cart has more; otherwise null. */
  mostUnits: number | null
}

/** Says that the cart is too big for one order, and what to do about it. */
function TooMuch({ products, tooMany, units, mostUnits }: TooMuchProps) {
  return (
    <>
      {tooMany > 0 && (
        <Notice variant="danger">
          One order can have {limits.linesPerOrder} different products. Please remove {tooMany} of your {products}; you
          can order {tooMany === 1 ? 'it' : 'them'} next.
        </Notice>
      )}
      {mostUnits !== null && (
        <Notice variant="danger">
          One order can have {mostUnits} units in all, and these are {units}. Please lower a quantity; you can order the
          rest once this order is paid.
        </Notice>
      )}
    </>
  )
}

/** What the shopper did, and how to take it back. */
interface News {
  words: string
  undo?: () => void
}

/** The changes that the checkout found before it sent the shopper here. */
function changesOf(state: unknown): CartChange[] {
  return (state as { changes?: CartChange[] } | null)?.changes ?? []
}

const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[6]};
  ${from.desktop} {
    grid-template-columns: minmax(0, 1fr) 22rem;
    gap: ${space[8]};
    align-items: start;
  }
`

const Said = styled.p`
  display: flex;
  flex-wrap: wrap;
  gap: 0 ${space[3]};
  font-size: ${size.sm};
  color: ${color.textQuiet};
  /* Takes no space until there is something to say. */
  &:empty {
    margin: 0;
  }
  button {
    min-height: 2.75rem;
    margin-block: -0.6rem;
  }
`
const Lines = styled.ul`
  padding: 0;
  list-style: none;
  border-top: 1px solid ${color.line};
  li {
    display: grid;
    grid-template-columns: min(5.5rem, 25%) minmax(0, 1fr);
    gap: ${space[2]} ${space[4]};
    padding-block: ${space[4]};
    border-bottom: 1px solid ${color.line};
    ${from.tablet} {
      grid-template-columns: 8rem minmax(0, 1fr) auto;
      gap: ${space[5]};
      align-items: center;
    }
  }
`

const Subtotal = styled.p`
  display: flex;
  flex-wrap: wrap;
  justify-content: space-between;
  font-size: ${size.lg};
  font-weight: ${weight.strong};
`

const Discount = styled.p`
  display: flex;
  justify-content: space-between;
  gap: ${space[4]};
  overflow-wrap: anywhere;
`

const Summary = styled.section`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[4]};
  padding: ${space[5]};
  background: ${color.band};
  ${from.desktop} {
    position: sticky;
    top: ${space[5]};
  }
`
