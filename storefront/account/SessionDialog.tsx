import { useApolloClient } from '@apollo/client/react'
import { useEffect, useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { showRefusals } from '../data/forms.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextField } from '../ui/TextField.tsx'
import { type Interruption, useInterruption } from './interruption.ts'
import { LogoutDocument } from './log-out.gql.ts'
import { device, rememberDevice } from './device.ts'
import { LoginDocument } from './LoginPage.gql.ts'
import ProviderLinks from './ProviderLinks.tsx'
import { signInWith } from './session.ts'

/** Stands over the page whose save met the end of its session; the page, and what was typed, stays as it is. */
export default function SessionDialog() {
  const interruption = useInterruption()
  return interruption && <SignInAgain key={interruption.user.token} {...interruption} />
}

interface Values {
  email: string
  password: string
  code: string
}

function SignInAgain({ user: { _id, email }, settle }: Interruption) {
  const client = useApolloClient()
  const [login] = useShopMutation(LoginDocument, { asVisitor: true })
  const id = useId()
  const form = useForm<Values>({ defaultValues: { email, password: '', code: '' } })
  const { errors, isSubmitting } = form.formState
  const { setFocus } = form
  /** The password was right, and the account has a second factor. */
  const [asksCode, setAsksCode] = useState(false)
  useEffect(() => {
    if (asksCode) setFocus('code')
  }, [asksCode, setFocus])

  async function submit({ code, ...credentials }: Values) {
    const payload = await login(
      { ...credentials, ...(asksCode && { code }), device: device.get() || undefined },
      {
        onRefused: ({ userErrors }) => {
          if (!asksCode && userErrors.some(({ code }) => code === 'SECOND_FACTOR_REQUIRED')) return setAsksCode(true)
          form.setFocus('password')
          showRefusals(form, userErrors)
        },
      },
    )
    if (!payload?.user || !payload.token) return
    const { user, token } = payload
    if (user.id === _id) {
      rememberDevice(payload.device)
      return signInWith(user, token)
    }
    client.mutate({ mutation: LogoutDocument, context: { bearer: token } }).catch(() => {})
    form.setError(
      'email',
      { message: `This page belongs to ${email}. Sign in as before, or cancel: what you typed stays on the page.` },
      { shouldFocus: true },
    )
  }

  return (
    <Dialog
      open
      alert
      initialFocus={() => document.getElementById(id)?.querySelector(`[name=${email ? 'password' : 'email'}]`) ?? null}
      onOpenChange={open => !open && settle(false)}
      title="Please sign in again"
      description="Your session has expired. Please sign in to go on. What you typed is kept."
      actions={
        <>
          <Button variant="quiet" onClick={() => settle(false)}>
            Cancel
          </Button>
          <Button type="submit" form={id} loading={isSubmitting}>
            Sign In
          </Button>
        </>
      }
    >
      <Stack
        as="form"
        id={id}
        method="post"
        noValidate
        onSubmit={event => {
          // A form on the page below, as React sees it, is not meant.
          event.stopPropagation()
          void form.handleSubmit(submit)(event)
        }}
      >
        <TextField
          {...form.register('email')}
          label="Email"
          required
          type="email"
          autoComplete="username"
          error={errors.email?.message}
        />
        <TextField
          {...form.register('password')}
          label="Password"
          required
          type="password"
          autoComplete="current-password"
          error={errors.password?.message}
        />
        {asksCode && (
          <TextField
            {...form.register('code')}
            label="Code"
            required
            autoComplete="one-time-code"
            maxLength={40}
            hint="From your authenticator app, or a recovery code."
            error={errors.code?.message}
          />
        )}
      </Stack>
      <ProviderLinks redirect={paths.signingIn()} inNewTab />
    </Dialog>
  )
}
