import { useSuspenseQuery } from '@apollo/client/react'
import { lazy, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { keyframes, styled } from 'styled-components'
import { addressLines } from '#schema/rules/address-lines'
import { countryNamed } from '#schema/rules/countries'
import { pickupLines } from '#schema/rules/delivery'
import { isDownloadsAlone } from '#schema/rules/pricing'
import { useSession } from '../account/session.ts'
import { addressShape } from '../address/address-shape.ts'
import { addressValues } from '../address/shipping-address.ts'
import { BLANK_ADDRESS, currentCart, useCart } from '../cart/cart.ts'
import { Head } from '../app/Head.tsx'
import { ShopDocument } from '../app/Shop.gql.ts'
import { useShape } from '../data/use-shape.ts'
import { color, from, measure, space } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { Part } from '../ui/Part.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { AddressForm } from './AddressForm.tsx'
import { CheckoutSummary } from './CheckoutSummary.tsx'
import { NothingToOrder } from './NothingToOrder.tsx'
import { PickupChoice } from './PickupChoice.tsx'

const PickupForm = lazy(() => import('./PickupForm.tsx'))

export default function ShippingPage() {
  // Read once: a half-typed address must not disappear when another tab empties the cart.
  const [empty] = useState(() => currentCart().cartItems.length === 0)
  return empty ? <NothingToOrder /> : <Shipping />
}

/** Where the order goes, that it is picked up, or where who downloads it lives; remembered in the cart. SPEC §5: name and country are required. */
function Shipping() {
  const session = useSession()
  const { pickup, country } = useSuspenseQuery(ShopDocument).data.shop.delivery
  const [saved] = useState(() => currentCart().shippingAddress)
  const [isPickup, setIsPickup] = useState(saved.isPickup)
  const kept = addressValues(saved.isPickup ? BLANK_ADDRESS : saved)
  const blank = addressValues({ ...BLANK_ADDRESS, name: session?.name ?? '' })
  // Here, so that what was typed is still there for who looks at the other way meanwhile.
  const form = useForm({
    defaultValues: addressLines(kept).length === 0 ? blank : kept,
    resolver: useShape(addressShape),
    shouldFocusError: false,
  })
  const typed = useWatch({ control: form.control })
  const isDownload = isDownloadsAlone(useCart().cartItems)
  const place = isPickup && !isDownload ? pickup : null

  return (
    <Container>
      <Head title={isDownload ? 'Address' : 'Shipping'} />
      <Columns>
        <CheckoutSummary
          to={
            place
              ? pickupLines(country, place)
              : {
                  country: countryNamed(typed.country ?? ''),
                  state: typed.state ?? '',
                  postalCode: typed.postalCode ?? '',
                }
          }
        />
        <Form>
          <h1>{isDownload ? 'Your address' : 'Shipping'}</h1>
          {pickup && !isDownload && <PickupChoice city={pickup.city} isPickup={isPickup} onChange={setIsPickup} />}
          {place ? (
            <Part fallback={<Skeleton $height="24rem" />}>
              <PickupForm place={place} known={saved} />
            </Part>
          ) : (
            <AddressForm form={form} blank={blank} isDownload={isDownload} />
          )}
        </Form>
      </Columns>
    </Container>
  )
}

const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[5]};
  ${from.desktop} {
    grid-template-columns: minmax(0, 1fr) 24rem;
    gap: ${space[8]};
    align-items: start;
    details {
      grid-area: 1 / 2;
      position: sticky;
      top: ${space[5]};
    }
  }
`
const show = keyframes`to { visibility: visible; }`
const outline = keyframes`from, to { visibility: visible; opacity: 1; }`
const Form = styled.div`
  display: grid;
  gap: ${space[4]};
  max-width: ${measure.text};
  > p {
    color: ${color.textQuiet};
  }
  /* The address book moves what is below it when it loads, so nothing below takes presses until then, or for three seconds. */
  > [aria-busy] {
    position: relative;
    visibility: hidden;
    animation: ${show} 0s 3s forwards;
    &::before {
      content: '';
      position: absolute;
      inset: 0;
      pointer-events: none;
      opacity: 0;
      background: repeating-linear-gradient(transparent 0 1.75rem, ${color.skeleton} 0 4.5rem, transparent 0 5.5rem);
      animation: ${outline} 2.6s 0.4s;
    }
  }
  ${from.desktop} {
    grid-area: 1 / 1;
  }
`
