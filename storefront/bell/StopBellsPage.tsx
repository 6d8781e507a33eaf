import { useState } from 'react'
import { Link } from 'react-router-dom'
import { AccountFrame, Outcome } from '../account/AccountFrame.tsx'
import { PageLoading } from '../account/PageLoading.tsx'
import { UndoneLink } from '../account/UndoneLink.tsx'
import { useLinkToken } from '../account/use-link-token.ts'
import { Head } from '../app/Head.tsx'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { StopBellsDocument } from './StopBellsPage.gql.ts'

/** Where the letters lead who wants no more of them. */
export default function StopBellsPage() {
  const token = useLinkToken()
  const [stop, { loading }] = useShopMutation(StopBellsDocument, { asVisitor: true })
  const [isDone, setIsDone] = useState(false)
  const [refusal, setRefusal] = useState('')

  async function submit() {
    const payload = await stop(
      { token: token ?? '' },
      { onRefused: ({ userErrors }) => setRefusal(userErrors.map(({ message }) => message).join(' ')) },
    )
    if (payload) setIsDone(true)
  }

  const home = (
    <LinkButton as={Link} to={paths.home()} $variant="quiet" $wide>
      Go to the shop
    </LinkButton>
  )
  if (token === null) return <PageLoading />
  if (isDone) {
    return (
      <Outcome
        title="No more letters"
        lead="You wait for nothing any more. Whatever we write about your orders still reaches you."
      >
        <Head title="No more letters" />
        {home}
      </Outcome>
    )
  }
  if (!token || refusal)
    return (
      <UndoneLink why={refusal || 'It lost a piece on its way. Please try the one at the end of another letter.'}>
        {home}
      </UndoneLink>
    )
  return (
    <AccountFrame title="Wait for nothing any more?" lead="One press, and no letter comes when something is back.">
      <Head title="Wait for nothing any more?" />
      <Button wide loading={loading} onClick={() => void submit()}>
        Take it all back
      </Button>
    </AccountFrame>
  )
}
