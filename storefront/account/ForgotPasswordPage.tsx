import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useSearchParams } from 'react-router-dom'
import type { z } from 'zod'
import { limits } from '#schema/rules/limits'
import type { emailAlone } from '#schema/rules/shapes/account'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { emailShape } from '../data/email-shape.ts'
import { showRefusals } from '../data/forms.ts'
import { useShape } from '../data/use-shape.ts'
import { Head } from '../app/Head.tsx'
import { paths } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { NeedsScript } from '../ui/NeedsScript.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { TextField } from '../ui/TextField.tsx'
import { AccountFrame, Aside, Outcome } from './AccountFrame.tsx'
import { device } from './device.ts'
import { RequestPasswordResetDocument } from './ForgotPasswordPage.gql.ts'
import { resetRedirect } from './reset-redirect.ts'

type Values = z.output<typeof emailAlone>

interface Sent extends Values {
  /** Where the email can be read, in a shop that displays the emails it sends. */
  mailbox: string | null | undefined
}

export default function ForgotPasswordPage() {
  const redirect = useSearchParams()[0].get('redirect') ?? undefined
  const form = useForm({ defaultValues: { email: '' }, resolver: useShape(emailShape) })
  const { errors, isSubmitting } = form.formState
  const [requestReset] = useShopMutation(RequestPasswordResetDocument, { asVisitor: true })
  const [sent, setSent] = useState<Sent | null>(null)

  async function submit(variables: Values) {
    const payload = await requestReset(
      { ...variables, device: device.get() || undefined },
      { onRefused: ({ userErrors }) => showRefusals(form, userErrors) },
    )
    if (!payload) return
    resetRedirect.set(redirect ?? '')
    setSent({ ...variables, mailbox: payload.mailbox })
  }

  const back = (
    <Aside>
      <Link to={paths.login(redirect)}>Back to signing in</Link>
    </Aside>
  )
  if (sent) {
    return (
      <Outcome
        title="Look into your mailbox"
        lead={
          <>
            If <strong>{sent.email}</strong> has an account with us, a link is on its way. It works once, for{' '}
            {limits.resetMinutes} minutes.
          </>
        }
      >
        <Head title="Look into your mailbox" />
        {sent.mailbox && (
          <>
            <Notice>This is a demonstration: its mails go nowhere, but you can read them here.</Notice>
            <LinkButton href={sent.mailbox} $wide>
              Open the mailbox
            </LinkButton>
          </>
        )}
        <Aside>
          Nothing there? Look among the spam, or <TextButton onClick={() => setSent(null)}>ask again</TextButton>.
        </Aside>
        {back}
      </Outcome>
    )
  }
  return (
    <AccountFrame title="Forgot your password?" lead="Tell us your email, and we send you a link to choose a new one.">
      <Head title="Forgot your password?" />
      <NeedsScript>Choosing a new password needs JavaScript.</NeedsScript>
      <Stack as="form" method="post" noValidate onSubmit={form.handleSubmit(submit)}>
        <TextField
          {...form.register('email')}
          label="Email"
          required
          type="email"
          autoComplete="username"
          maxLength={limits.email}
          error={errors.email?.message}
        />
        <Button type="submit" wide loading={isSubmitting}>
          Send me a link
        </Button>
      </Stack>
      {back}
    </AccountFrame>
  )
}
