import { useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { styled } from 'styled-components'
import { Preorder } from '../catalog/Preorder.tsx'
import { paths } from '../paths.ts'
import { color, font, size, space } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Money } from '../ui/Money.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Price } from '../ui/Price.tsx'
import { QuantitySelect } from '../ui/QuantitySelect.tsx'
import { type Added, useAdded } from './added.ts'
import { cart, currentCart, unitsOf, useCart, useCartPrices } from './cart.ts'
import { CartEstimate } from './CartEstimate.tsx'
import { FreeShipping } from './FreeShipping.tsx'

/** Shows what was just put into the cart from a list, at the side of the page. */
export default function CartDrawer() {
  const added = useAdded()
  const { key } = useLocation()
  const [closed, setClosed] = useState<{ added: Added | null; key: string }>({ added: null, key })
  const stay = useRef<HTMLButtonElement>(null)
  // The drawer belongs to the page on which it was opened.
  const [openedOn, setOpenedOn] = useState({ added, key })
  if (openedOn.added !== added) setOpenedOn({ added, key })
  const open = added !== null && closed.added !== added && openedOn.key === key
  if (!added) return null

  const close = () => setClosed({ added, key })
  return (
    <Dialog
      side
      open={open}
      onOpenChange={close}
      title="In your cart"
      initialFocus={() => stay.current}
      actions={
        <>
          <Button ref={stay} variant="quiet" onClick={close}>
            Continue shopping
          </Button>
          <LinkButton as={Link} to={paths.cart()} onClick={close}>
            Go to cart
          </LinkButton>
        </>
      }
    >
      <Contents key={added.item.id} added={added} />
    </Dialog>
  )
}

function Contents({ added: { item: asAdded, before } }: { added: Added }) {
  const current = useCart()
  const { itemsPrice } = useCartPrices()
  const [news, setNews] = useState('')
  const item = current.cartItems.find(({ id }) => id === asAdded.id)
  const isUndone = before ? item?.quantity === before.quantity : !item
  const units = unitsOf(current)
  const name = `“${asAdded.name}”`

  function undo() {
    if (before) cart.setQuantity(before.id, before.quantity)
    else cart.remove(asAdded.id)
    setNews(before ? `Your cart holds ${before.quantity} of ${name}, as before.` : `${name} left your cart.`)
  }
  function redo() {
    const { cartItems } = currentCart()
    const place = cartItems.findIndex(({ id }) => id === asAdded.id)
    cart.putBack(asAdded, place < 0 ? cartItems.length : place)
    setNews(`${name} is in your cart again.`)
  }
  function change(quantity: number) {
    cart.setQuantity(asAdded.id, quantity)
    setNews(`Your cart holds ${quantity} of ${name}.`)
  }

  return (
    <Sections>
      <Line>
        <Picture src={asAdded.image} alt="" sizes="5.5rem" />
        <div>
          <Name>{asAdded.name}</Name>
          <Price cents={asAdded.price} was={asAdded.compareAtPrice} />
          {asAdded.expectedOn !== null && (
            <Quiet>
              <Preorder expectedOn={asAdded.expectedOn} />
            </Quiet>
          )}
          <Controls>
            {item && (
              <QuantitySelect
                label={`Quantity of ${item.name}`}
                value={item.quantity}
                max={item.countInStock}
                onChange={change}
              />
            )}
            <Button variant="quiet" size="sm" onClick={isUndone ? redo : undo}>
              {isUndone ? 'Put it back' : 'Undo'}
            </Button>
          </Controls>
        </div>
      </Line>
      <Quiet role="status">{news}</Quiet>
      {units > 0 && (
        <>
          <FreeShipping />
          <Subtotal>
            {units === 1 ? '1 item' : `${units} items`} <Money cents={itemsPrice} />
          </Subtotal>
          <CartEstimate />
        </>
      )}
    </Sections>
  )
}

const Sections = styled.div`
  display: grid;
  gap: ${space[4]};
`
const Line = styled.div`
  display: grid;
  grid-template-columns: 5.5rem minmax(0, 1fr);
  gap: ${space[4]};
  align-items: start;
`
const Name = styled.p`
  font: ${size.lg} / 1.2 ${font.serif};
  overflow-wrap: anywhere;
`
const Controls = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space[3]};
  margin-top: ${space[2]};
  button {
    min-height: 2.75rem;
  }
`
const Quiet = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
  &:empty {
    display: none;
  }
`
const Subtotal = styled.p`
  display: flex;
  justify-content: space-between;
  gap: ${space[4]};
`
