import { limits } from '#schema/rules/limits'
import { LinkPage, NOT_ASKED } from '../account/LinkPage.tsx'
import { usedOrOld } from '../account/UndoneLink.tsx'
import { paths } from '../paths.ts'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Notice } from '../ui/Notice.tsx'
import { monthly, useOffer } from './offer.ts'
import { ConfirmNewsletterDocument, type ConfirmNewsletterMutation } from './ConfirmNewsletterPage.gql.ts'

/** The page that the link in the newsletter's confirmation mail leads to. */
export default function ConfirmNewsletterPage() {
  const offer = useOffer()
  return (
    <LinkPage
      document={ConfirmNewsletterDocument}
      question={{
        title: 'Do you want our newsletter?',
        lead: monthly(offer),
        yes: 'Yes, write to me',
        aside: NOT_ASKED,
      }}
      done={isOnList(offer)}
      undone={{
        why: usedOrOld(`${limits.confirmHours} hours`),
        onwards: (
          <LinkButton as={Link} to={paths.newsletter()} $wide>
            Sign up once more
          </LinkButton>
        ),
      }}
    />
  )
}

const isOnList =
  (offer: string | null) =>
  ({ mailbox }: ConfirmNewsletterMutation['confirmNewsletter']) => ({
    title: 'Welcome to the circle',
    lead: `Your address is on the list.${offer ? ` An email with your own code for ${offer} is on its way; type the code into the cart.` : ''}`,
    onwards: (
      <>
        {mailbox && (
          <>
            <Notice>This is a demonstration: its mails go nowhere, but you can read them here.</Notice>
            <LinkButton href={mailbox} $wide>
              Open the mailbox
            </LinkButton>
          </>
        )}
        <LinkButton as={Link} to={paths.home()} $variant="quiet" $wide>
          Shop now
        </LinkButton>
      </>
    ),
  })
