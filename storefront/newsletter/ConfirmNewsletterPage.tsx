import { useState } from 'react'
import { Link } from 'react-router-dom'
import { limits } from '#schema/rules/limits'
import { AccountFrame, Aside, Outcome } from '../account/AccountFrame.tsx'
import { PageLoading } from '../account/PageLoading.tsx'
import { UndoneLink, usedOrOld } from '../account/UndoneLink.tsx'
import { Head } from '../app/Head.tsx'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Notice } from '../ui/Notice.tsx'
import { ConfirmNewsletterDocument } from './ConfirmNewsletterPage.gql.ts'
import { useLinkToken } from '../account/use-link-token.ts'

/** Where the link in the mail leads. It asks once more, since mail programs open links before anybody reads them. */
export default function ConfirmNewsletterPage() {
  const token = useLinkToken()
  const [confirm, { loading }] = useShopMutation(ConfirmNewsletterDocument, { asVisitor: true })
  const [done, setDone] = useState<{ mailbox: string | null | undefined } | null>(null)
  const [refusal, setRefusal] = useState('')

  async function submit() {
    const payload = await confirm(
      { token: token ?? '' },
      { onRefused: ({ userErrors }) => setRefusal(userErrors.map(({ message }) => message).join(' ')) },
    )
    if (payload) setDone({ mailbox: payload.mailbox })
  }

  if (token === null) return <PageLoading />
  if (done) {
    return (
      <Outcome
        title="Welcome to the circle"
        lead="Your address is on the list. A letter with your own code for 15% off is on its way; type the code into the cart."
      >
        <Head title="Welcome to the circle" />
        {done.mailbox && (
          <>
            <Notice>This is a demonstration: its mails go nowhere, but you can read them here.</Notice>
            <LinkButton href={done.mailbox} $wide>
              Open the mailbox
            </LinkButton>
          </>
        )}
        <LinkButton as={Link} to={paths.home()} $variant="quiet" $wide>
          Shop now
        </LinkButton>
      </Outcome>
    )
  }
  if (!token || refusal) {
    return (
      <UndoneLink why={refusal || usedOrOld(`${limits.confirmHours} hours`)}>
        <LinkButton as={Link} to={paths.newsletter()} $wide>
          Sign up once more
        </LinkButton>
      </UndoneLink>
    )
  }
  return (
    <AccountFrame title="Do you want our newsletter?" lead="One letter a month, and a code for 15% off to start with.">
      <Head title="Do you want our newsletter?" />
      <Button wide loading={loading} onClick={() => void submit()}>
        Yes, write to me
      </Button>
      <Aside>Did you not ask for it? Then there is nothing to do: nothing more is sent to you.</Aside>
    </AccountFrame>
  )
}
