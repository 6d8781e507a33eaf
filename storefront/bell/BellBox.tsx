import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { useSession } from '../account/session.ts'
import { emailShape } from '../data/email-shape.ts'
import { showRefusals } from '../data/forms.ts'
import { useShape } from '../data/use-shape.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { control, from, space } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { BellIcon } from '../ui/page-icons.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { TextField } from '../ui/TextField.tsx'
import { AddBellDocument, RemoveBellDocument, ViewerBellDocument } from './Bell.gql.ts'

interface Wish {
  productId: string
  /** The dye lot that is wanted; null for any. */
  lot: string | null
}

/** For a sold-out product or dye lot: asks for one email when it is back. */
export default function BellBox(wish: Wish) {
  const session = useSession()
  const { productId: id, lot } = wish
  const { data, loading } = useQuery(ViewerBellDocument, { variables: { id, lot }, skip: !session })
  if (!session) return <ByLetter {...wish} address="" />
  if (loading && !data) return <Skeleton $width="15rem" $height={control.md} />
  if (data?.product?.bell) return <Waiting {...wish} email={data.viewer?.email ?? session.email} />
  if (data?.viewer?.emailVerified) return <ByOnePress {...wish} />
  return <ByLetter {...wish} address={session.email} />
}

const named = ({ lot }: Wish) => (lot === null ? 'it' : `lot ${lot}`)

function ByOnePress(wish: Wish) {
  const [add, { loading }] = useShopMutation(AddBellDocument)
  return (
    <Button variant="quiet" icon={<BellIcon size={20} />} loading={loading} onClick={() => void add({ ...wish })}>
      Tell me when {named(wish)} is back
    </Button>
  )
}

function Waiting({ email, ...wish }: Wish & { email: string }) {
  const [remove, { loading }] = useShopMutation(RemoveBellDocument)
  return (
    <Notice
      variant="success"
      action={
        <TextButton disabled={loading} onClick={() => void remove({ ...wish })}>
          Take it back
        </TextButton>
      }
    >
      We will write to {email} when {named(wish)} is back, once.
    </Notice>
  )
}

/** Anybody can type any address: an email asks its owner to confirm. */
function ByLetter({ address, ...wish }: Wish & { address: string }) {
  const [add, { loading }] = useShopMutation(AddBellDocument)
  const form = useForm({ defaultValues: { email: address }, resolver: useShape(emailShape) })
  const [asked, setAsked] = useState<{ email: string; lot: string | null; mailbox: string | null | undefined } | null>(
    null,
  )

  async function submit({ email }: { email: string }) {
    if (loading) return
    const payload = await add({ ...wish, email }, { onRefused: ({ userErrors }) => showRefusals(form, userErrors) })
    if (payload) setAsked({ email, lot: wish.lot, mailbox: payload.mailbox })
  }

  if (asked && asked.lot === wish.lot) {
    return (
      <Notice
        action={
          <>
            {asked.mailbox && (
              <>
                This is a demonstration: <a href={asked.mailbox}>read the email here</a>.
              </>
            )}
            <TextButton onClick={() => setAsked(null)}>Use another address</TextButton>
          </>
        }
      >
        Please press the link in the email we are sending to <strong>{asked.email}</strong>. Then another one comes when{' '}
        {named(wish)} is back, and no more.
      </Notice>
    )
  }
  return (
    <Form noValidate onSubmit={event => void form.handleSubmit(submit)(event)}>
      <TextField
        {...form.register('email')}
        label={`Your email, to be told once when ${named(wish)} is back`}
        type="email"
        autoComplete="email"
        maxLength={limits.email}
        error={form.formState.errors.email?.message}
      />
      <Button type="submit" variant="quiet" icon={<BellIcon size={20} />} loading={loading}>
        Tell me when {named(wish)} is back
      </Button>
    </Form>
  )
}

const Form = styled.form`
  display: grid;
  gap: ${space[3]};
  ${from.tablet} {
    max-width: 26rem;
  }
`
