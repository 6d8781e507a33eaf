import { styled } from 'styled-components'
import { isDownloadsAlone } from '#schema/rules/pricing'
import { useSession } from '../account/session.ts'
import { hasAddress, useCart } from '../cart/cart.ts'
import { paths } from '../paths.ts'
import { color, measure, size, space, upTo, weight } from '../theme/tokens.ts'
import type { CheckoutStep } from './checkout-step.ts'
import { useGuest } from './guest.ts'
import { Link } from '../ui/Link.tsx'

/** Where the shopper is between cart and order. A step opens once the ones before it are done. SPEC §2. */
export function CheckoutSteps({ current }: { current: CheckoutStep }) {
  const session = useSession()
  const { cartItems, shippingAddress } = useCart()
  const guest = useGuest()
  const isKnown = session !== null || guest !== null
  const steps: { step: CheckoutStep; label: string; to: string; open: boolean }[] = [
    { step: 'sign-in', label: 'Sign In', to: paths.login('shipping'), open: true },
    {
      step: 'shipping',
      label: isDownloadsAlone(cartItems) ? 'Address' : 'Shipping',
      to: paths.shipping(),
      open: isKnown,
    },
    { step: 'review', label: 'Review & Order', to: paths.placeOrder(), open: isKnown && hasAddress(shippingAddress) },
    // Paying happens on the order's own page, once it is placed.
    { step: 'pay', label: 'Pay', to: paths.placeOrder(), open: false },
  ]
  return (
    <nav aria-label="Checkout steps">
      <List>
        {steps.map(({ step, label, to, open }) => (
          <li key={step} aria-current={step === current ? 'step' : undefined}>
            {open && step !== current ? (
              <Link to={to}>{label}</Link>
            ) : (
              <span aria-disabled={!open || undefined}>{label}</span>
            )}
          </li>
        ))}
      </List>
    </nav>
  )
}

const List = styled.ol`
  display: grid;
  grid-template-columns: ${upTo(4, '3.75rem')};
  gap: ${space[2]};
  padding: 0;
  list-style: none;
  max-width: ${measure.text};
  counter-reset: step;
  font-size: ${size.sm};
  li {
    counter-increment: step;
    border-top: 2px solid ${color.line};
  }
  li[aria-current] {
    border-color: ${color.text};
    font-weight: ${weight.strong};
  }
  a,
  span {
    display: block;
    padding-top: ${space[2]};
    min-height: 2.75rem;
  }
  a::before,
  span::before {
    content: counter(step) '. ';
    font-variant-numeric: lining-nums tabular-nums;
  }
  [aria-disabled] {
    color: ${color.textQuiet};
  }
`
