import { useApolloClient } from '@apollo/client/react'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { showRefusals } from '../data/forms.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { paths } from '../paths.ts'
import { CodeField, PasswordField, TextField } from '../ui/TextField.tsx'
import { CredentialsDialog } from './CredentialsDialog.tsx'
import { type Interruption, useInterruption } from './interruption.ts'
import { LogoutDocument } from './log-out.gql.ts'
import { device, rememberDevice } from './device.ts'
import { LoginDocument } from './LoginPage.gql.ts'
import ProviderLinks from './ProviderLinks.tsx'
import { signInWith } from './session.ts'

/** Shown over a page whose save failed because its session had ended; the page and what was typed stay as they are. */
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
    <CredentialsDialog
      alert
      title="Please sign in again"
      description="Your session has expired. Please sign in to go on. What you typed is kept."
      action="Sign In"
      loading={isSubmitting}
      focus={email ? 'password' : 'email'}
      onSubmit={form.handleSubmit(submit)}
      onClose={() => settle(false)}
      below={<ProviderLinks redirect={paths.signingIn()} inNewTab />}
    >
      <TextField
        {...form.register('email')}
        label="Email"
        required
        type="email"
        autoComplete="username"
        error={errors.email?.message}
      />
      <PasswordField {...form.register('password')} error={errors.password?.message} />
      {asksCode && <CodeField {...form.register('code')} error={errors.code?.message} />}
    </CredentialsDialog>
  )
}
