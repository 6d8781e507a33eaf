import { useState } from 'react'
import { Link } from 'react-router-dom'
import { AccountFrame, Outcome } from '../account/AccountFrame.tsx'
import { PageLoading } from '../account/PageLoading.tsx'
import { UndoneLink } from '../account/UndoneLink.tsx'
import { Head } from '../app/Head.tsx'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { UnsubscribeDocument } from './UnsubscribePage.gql.ts'
import { useLinkToken } from '../account/use-link-token.ts'

/** Where every letter of the newsletter leads who wants no more of them. */
export default function UnsubscribePage() {
  const token = useLinkToken()
  const [unsubscribe, { loading }] = useShopMutation(UnsubscribeDocument, { asVisitor: true })
  const [isDone, setIsDone] = useState(false)
  const [refusal, setRefusal] = useState('')

  async function submit() {
    const payload = await unsubscribe(
      { token: token ?? '' },
      { onRefused: ({ userErrors }) => setRefusal(userErrors.map(({ message }) => message).join(' ')) },
    )
    if (payload) setIsDone(true)
  }

  if (token === null) return <PageLoading />
  if (isDone) {
    return (
      <Outcome
        title="You are off the list"
        lead="No more letters. Whatever we write about your orders still reaches you."
      >
        <Head title="You are off the list" />
        <LinkButton as={Link} to={paths.home()} $variant="quiet" $wide>
          Go to the shop
        </LinkButton>
      </Outcome>
    )
  }
  if (!token || refusal) {
    return (
      <UndoneLink why={refusal || 'It lost a piece on its way. Please try the one at the end of another letter.'}>
        <LinkButton as={Link} to={paths.home()} $variant="quiet" $wide>
          Go to the shop
        </LinkButton>
      </UndoneLink>
    )
  }
  return (
    <AccountFrame title="Leave the newsletter?" lead="One press, and nothing more of it is sent to you.">
      <Head title="Leave the newsletter?" />
      <Button wide loading={loading} onClick={() => void submit()}>
        Take me off the list
      </Button>
    </AccountFrame>
  )
}
