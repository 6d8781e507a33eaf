import { Link } from 'react-router-dom'
import { paths } from '../paths.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Stack } from '../ui/Stack.tsx'

interface AccountOfferProps {
  orderId: string
  name: string
  email: string
}

/** What an account is good for, once somebody has ordered without one. */
export function AccountOffer({ orderId, name, email }: AccountOfferProps) {
  return (
    <Stack as="section" $gap={3} aria-labelledby="account-offer" data-print="hide">
      <h2 id="account-offer">Keep your orders together</h2>
      <p>
        The link in our mails opens this order. With an account for {email} you find all that you ordered with it in one
        place, as soon as you have confirmed the address.
      </p>
      <div>
        <LinkButton as={Link} to={paths.register(paths.order(orderId))} state={{ name, email }} $variant="quiet">
          Create an account
        </LinkButton>
      </div>
    </Stack>
  )
}
