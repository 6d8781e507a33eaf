import { styled } from 'styled-components'
import { useSession } from '../account/session.ts'
import { unitsOf, useCart } from '../cart/cart.ts'
import type { CheckoutStep } from '../checkout/checkout-step.ts'
import { CheckoutSteps } from '../checkout/CheckoutSteps.tsx'
import { paths } from '../paths.ts'
import { color, control, size, space, weight } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { ArrowLeftIcon } from '../ui/icons.tsx'
import { Link } from '../ui/Link.tsx'
import { SignedIn } from './Header.tsx'
import { Logo } from './Logo.tsx'

/** The header during checkout: the logo, the way back, who is signed in, and the current step. */
export function CheckoutHeader({ step }: { step: CheckoutStep }) {
  const session = useSession()
  const units = unitsOf(useCart())
  return (
    <Bar data-print="hide">
      <Row>
        <Logo />
        <nav aria-label="Your account and cart">
          <Back to={paths.cart()} aria-label={`Cart, ${units === 1 ? '1 item' : `${units} items`}`}>
            <ArrowLeftIcon size={18} />
            Cart
          </Back>
          {session && <SignedIn session={session} />}
        </nav>
      </Row>
      <Container>
        <CheckoutSteps current={step} />
      </Container>
    </Bar>
  )
}

const Bar = styled.header`
  border-bottom: 1px solid ${color.line};
`
const Row = styled(Container)`
  display: flex;
  /* With a large font the links wrap below the logo. */
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${space[2]} ${space[4]};
  padding-block: ${space[3]};
  nav {
    display: flex;
    align-items: center;
    gap: ${space[3]};
    min-width: 0;
  }
`
const Back = styled(Link)`
  display: inline-flex;
  align-items: center;
  gap: ${space[2]};
  min-height: ${control.md};
  font-size: ${size.sm};
  font-weight: ${weight.strong};
  text-decoration: none;
  &:hover {
    text-decoration: underline;
  }
`
