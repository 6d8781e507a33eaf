import { limits } from '#schema/rules/limits'
import { LinkPage, NOT_ASKED } from '../account/LinkPage.tsx'
import { usedOrOld } from '../account/UndoneLink.tsx'
import { paths } from '../paths.ts'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { ConfirmBellDocument, type ConfirmBellMutation } from './ConfirmBellPage.gql.ts'

/** The page behind the link of the email that asks somebody to confirm that they want to hear when something is back. */
export default function ConfirmBellPage() {
  return (
    <LinkPage
      document={ConfirmBellDocument}
      question={{
        title: 'Tell you when it is back?',
        lead: 'One email when it is in stock again, and no more.',
        yes: 'Yes, tell me',
        aside: NOT_ASKED,
      }}
      done={waits}
      undone={{ why: usedOrOld(`${limits.confirmHours} hours`) }}
    />
  )
}

const waits = ({ product, lot }: ConfirmBellMutation['confirmBell']) => ({
  title: 'We will tell you',
  lead: `One email comes when ${lot ? `lot ${lot} of ` : ''}${product ? `“${product.name}”` : 'it'} is back, and no more.`,
  onwards: product && (
    <LinkButton as={Link} to={paths.product(product.id, product.name)} $variant="quiet" $wide>
      See {product.name}
    </LinkButton>
  ),
})
