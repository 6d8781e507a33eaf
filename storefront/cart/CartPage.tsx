import { useSuspenseQuery } from '@apollo/client/react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Link, useLoaderData, useLocation, useNavigate } from 'react-router-dom'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { Head } from '../app/Head.tsx'
import { ShopDocument } from '../app/Shop.gql.ts'
import { AddressEstimate } from '../checkout/AddressEstimate.tsx'
import { paths } from '../paths.ts'
import { useHydrated } from '../data/stored.ts'
import { color, font, from, size, space, weight } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { Container } from '../ui/Container.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { TrashIcon } from '../ui/page-icons.tsx'
import { Money } from '../ui/Money.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Price } from '../ui/Price.tsx'
import { QuantitySelect } from '../ui/QuantitySelect.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { adopt } from './adopt-plain-cart.ts'
import { cart, type CartItem, unitsOf, useCart, useCartPrices } from './cart.ts'
import { useCartCode } from './cart-code.ts'
import { CartChanges } from './CartChanges.tsx'
import { CartEstimate } from './CartEstimate.tsx'
import type { CartChange } from './check-cart.ts'
import { CodeField } from './CodeField.tsx'
import { EmptyCart } from './EmptyCart.tsx'
import { FreeShipping } from './FreeShipping.tsx'
import { LotChoice } from './LotChoice.tsx'
import { PlainCart, type PlainCartState } from './PlainCart.tsx'
import { opensFull } from './presumed.ts'
import { changePlainCart, loadCart } from './serve-plain-cart.ts'
import { useCartCheck } from './use-cart-check.ts'

// In the browser, the cart is in its storage.
export const loader = import.meta.env.SSR ? loadCart : undefined
export const action = import.meta.env.SSR ? changePlainCart : undefined

export default function CartPage() {
  const plain = (useLoaderData() as PlainCartState | null | undefined) ?? null
  // Before this browser's cart is looked at for the first time.
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
  const prices = useCartPrices()
  const code = useCartCode()
  const navigate = useNavigate()
  const check = useCartCheck(changesOf(useLocation().state))
  const heading = useRef<HTMLHeadingElement>(null)
  const units = unitsOf(current)
  const empty = units === 0
  const tooMany = current.cartItems.length - limits.linesPerOrder
  const { unitsPerOrder } = useSuspenseQuery(ShopDocument).data.shop
  const tooManyUnits = unitsPerOrder !== null && units > unitsPerOrder

  const [news, setNews] = useState<News | null>(null)
  // The button that was pressed is gone; without this the keyboard would start over at the top.
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
        {tooMany > 0 && (
          <Notice variant="danger">
            One order can have {limits.linesPerOrder} different products. Please remove {tooMany} of your{' '}
            {current.cartItems.length}; you can order {tooMany === 1 ? 'it' : 'them'} next.
          </Notice>
        )}
        {tooManyUnits && (
          <Notice variant="danger">
            One order can have {unitsPerOrder} units in all, and these are {units}. Please lower a quantity; you can
            order the rest once this order is paid.
          </Notice>
        )}
        {empty ? (
          <Presumed>
            <Notice variant="danger" action={<Link to={paths.home()}>Browse our yarns</Link>}>
              Your cart is empty.
            </Notice>
            <EmptyCart />
          </Presumed>
        ) : (
          <Lines>
            {current.cartItems.map(item => (
              <Line
                key={item.id}
                item={item}
                onChange={quantity => change(item, quantity)}
                onRemove={() => remove(item)}
              />
            ))}
          </Lines>
        )}
      </Stack>
      <Summary aria-label="Summary">
        <Presumed>
          <Subtotal>
            Subtotal ({units} {units === 1 ? 'item' : 'items'}) <Money cents={prices.itemsPrice} />
          </Subtotal>
          {code && prices.discount > 0 && (
            <Discount>
              Code {code.code} <Money cents={-prices.discount} />
            </Discount>
          )}
          {!empty && (
            <>
              <FreeShipping />
              <CodeField />
              <CartEstimate />
              <AddressEstimate country={current.shippingAddress.country} />
            </>
          )}
          <Button
            wide
            size="lg"
            disabled={empty || tooMany > 0 || tooManyUnits}
            onClick={() => void navigate(paths.login('shipping'))}
          >
            Proceed to Checkout
          </Button>
        </Presumed>
      </Summary>
    </Columns>
  )
}

/** What the shopper did, and how to take it back. */
interface News {
  words: string
  undo?: () => void
}

/** What the checkout found before it sent the shopper here. */
function changesOf(state: unknown): CartChange[] {
  return (state as { changes?: CartChange[] } | null)?.changes ?? []
}

interface LineProps {
  item: CartItem
  onChange: (quantity: number) => void
  onRemove: () => void
}

function Line({ item, onChange, onRemove }: LineProps) {
  return (
    <li>
      <Picture src={item.image} alt="" sizes="(min-width: 40rem) 8rem, 5.5rem" />
      <Facts>
        <Name to={paths.product(item.id, item.name)}>{item.name}</Name>
        <Small>{[item.category, item.weight].filter(Boolean).join(' · ')}</Small>
        <Unit>
          <Price cents={item.price} was={item.compareAtPrice} />
        </Unit>
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

/** What holds for the empty cart that the server shows; its outline where the browser is about to show another. */
function Presumed({ children }: { children: ReactNode }) {
  const hydrated = useHydrated()
  return (
    <>
      {!hydrated && (
        <Outline aria-busy="true">
          <Skeleton $height="8rem" />
        </Outline>
      )}
      <Contents data-presumed={!hydrated || undefined}>{children}</Contents>
    </>
  )
}

const Outline = styled.div`
  display: none;
  ${opensFull} {
    display: block;
  }
`
const Contents = styled.div`
  display: contents;
  ${opensFull}[data-presumed] {
    display: none;
  }
`
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
  /* Nothing is there, and takes no room, until something is said. */
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
