import { styled } from 'styled-components'
import { paths } from '../paths.ts'
import { measure, size, space } from '../theme/tokens.ts'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'

interface AccountOfferProps {
  orderId: string
  name: string
  email: string
}

/** Offers an account to somebody who has ordered without one. */
export function AccountOffer({ orderId, name, email }: AccountOfferProps) {
  return (
    <Offer aria-labelledby="account-offer" data-print="hide">
      <h2 id="account-offer">Keep your orders together</h2>
      <p>
        The link in our mails opens this order. With an account for {email} you find all that you ordered with it in one
        place, as soon as you have confirmed the address.
      </p>
      <LinkButton as={Link} to={paths.register(paths.order(orderId))} state={{ name, email }} $variant="quiet">
        Create an account
      </LinkButton>
    </Offer>
  )
}

const Offer = styled.section`
  display: grid;
  justify-items: start;
  gap: ${space[3]};
  max-width: ${measure.text};
  h2 {
    font-size: ${size.xl};
  }
`
