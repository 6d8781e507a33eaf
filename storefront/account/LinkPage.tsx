import type { TypedDocumentNode } from '@apollo/client'
import { useState, type ReactNode } from 'react'
import { Head } from '../app/Head.tsx'
import type { UserError } from '../data/errors.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { AccountFrame, Aside, Outcome } from './AccountFrame.tsx'
import { PageLoading } from './PageLoading.tsx'
import { UndoneLink } from './UndoneLink.tsx'
import { useLinkToken } from './use-link-token.ts'

interface Words {
  title: string
  lead: string
}

interface LinkPageProps<Data> {
  question: Words & { yes: string; aside?: string }
  /** What confirming does. Anyone who has the link may do it, signed in or not. */
  document: TypedDocumentNode<Data, { token: string }>
  /** What to say afterwards, and which link to offer; the one to the shop when left out. */
  done: (payload: Data[keyof Data]) => Words & { onwards?: ReactNode }
  /** Why a link with an incomplete token does not work, and which link to offer; the one to the shop when left out. */
  undone: { why: string; onwards?: ReactNode }
}

const ToShop = () => (
  <LinkButton as={Link} to={paths.home()} $variant="quiet" $wide>
    Go to the shop
  </LinkButton>
)

/** The page behind an email's link that does something at one press. It asks first, because mail programs open links before anybody reads them. */
export function LinkPage<Data extends Record<string, { userErrors: readonly UserError[] }>>({
  question,
  document,
  done,
  undone,
}: LinkPageProps<Data>) {
  const token = useLinkToken()
  const [run, { loading }] = useShopMutation(document, { asVisitor: true })
  const [answer, setAnswer] = useState<Data[keyof Data] | null>(null)
  const [refusal, setRefusal] = useState('')

  async function press() {
    const payload = await run(
      { token: token ?? '' },
      { onRefused: ({ userErrors }) => setRefusal(userErrors.map(({ message }) => message).join(' ')) },
    )
    if (payload) setAnswer(payload)
  }

  if (token === null) return <PageLoading />
  if (answer) {
    const { title, lead, onwards } = done(answer)
    return (
      <Outcome title={title} lead={lead}>
        <Head title={title} />
        {onwards ?? <ToShop />}
      </Outcome>
    )
  }
  if (!token || refusal) return <UndoneLink why={refusal || undone.why}>{undone.onwards ?? <ToShop />}</UndoneLink>
  const { title, lead, yes, aside } = question
  return (
    <AccountFrame title={title} lead={lead}>
      <Head title={title} />
      <Button wide loading={loading} onClick={() => void press()}>
        {yes}
      </Button>
      {aside && <Aside>{aside}</Aside>}
    </AccountFrame>
  )
}

/** For an email that its reader may not have asked for. */
export const NOT_ASKED = 'Did you not ask for it? Then there is nothing to do: nothing more is sent to you.'

/** For a link that every email of its kind ends with. */
export const LOST_PIECE = 'It lost a piece on its way. Please try the one at the end of another email.'
