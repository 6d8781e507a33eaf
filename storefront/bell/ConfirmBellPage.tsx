import { useState } from 'react'
import { Link } from 'react-router-dom'
import { limits } from '#schema/rules/limits'
import { AccountFrame, Aside, Outcome } from '../account/AccountFrame.tsx'
import { PageLoading } from '../account/PageLoading.tsx'
import { UndoneLink, usedOrOld } from '../account/UndoneLink.tsx'
import { useLinkToken } from '../account/use-link-token.ts'
import { Head } from '../app/Head.tsx'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { ConfirmBellDocument } from './ConfirmBellPage.gql.ts'

interface Wish {
  product?: { id: string; name: string } | null
  lot?: string | null
}

/** Where the link in the mail leads. It asks once more, since mail programs open links before anybody reads them. */
export default function ConfirmBellPage() {
  const token = useLinkToken()
  const [confirm, { loading }] = useShopMutation(ConfirmBellDocument, { asVisitor: true })
  const [{ product, lot }, setWish] = useState<Wish>({ product: null, lot: null })
  const [refusal, setRefusal] = useState('')

  async function submit() {
    const payload = await confirm(
      { token: token ?? '' },
      { onRefused: ({ userErrors }) => setRefusal(userErrors.map(({ message }) => message).join(' ')) },
    )
    if (payload) setWish(payload)
  }

  if (token === null) return <PageLoading />
  if (product) {
    return (
      <Outcome
        title="We will tell you"
        lead={`One letter comes when ${lot === null ? '' : `lot ${lot} of `}“${product.name}” is back, and no more.`}
      >
        <Head title="We will tell you" />
        <LinkButton as={Link} to={paths.product(product.id, product.name)} $variant="quiet" $wide>
          See {product.name}
        </LinkButton>
      </Outcome>
    )
  }
  if (!token || refusal) {
    return (
      <UndoneLink why={refusal || usedOrOld(`${limits.confirmHours} hours`)}>
        <LinkButton as={Link} to={paths.home()} $variant="quiet" $wide>
          Go to the shop
        </LinkButton>
      </UndoneLink>
    )
  }
  return (
    <AccountFrame title="Tell you when it is back?" lead="One letter when it is in stock again, and no more.">
      <Head title="Tell you when it is back?" />
      <Button wide loading={loading} onClick={() => void submit()}>
        Yes, tell me
      </Button>
      <Aside>Did you not ask for it? Then there is nothing to do: nothing more is sent to you.</Aside>
    </AccountFrame>
  )
}
