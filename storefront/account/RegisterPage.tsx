import { useForm } from 'react-hook-form'
import { Navigate, useLocation, useSearchParams } from 'react-router-dom'
import type { z } from 'zod'
import { limits } from '#schema/rules/limits'
import type { newAccount } from '#schema/rules/shapes/account'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { showRefusals } from '../data/forms.ts'
import { useShape } from '../data/use-shape.ts'
import { Head } from '../app/Head.tsx'
import { paths, safeRedirect } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { NeedsScript } from '../ui/NeedsScript.tsx'
import { clockZone } from '../ui/dates.ts'
import { Link } from '../ui/Link.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextField } from '../ui/TextField.tsx'
import { AccountFrame, Aside } from './AccountFrame.tsx'
import { rememberDevice } from './device.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { passwordsMatch } from './password-pair.ts'
import { ProviderWays } from './ProviderWays.tsx'
import { RegisterDocument } from './RegisterPage.gql.ts'
import { signInWith, useSession } from './session.ts'

// The server judges how strong a password is: it knows the common ones.
const shape = async () => (await import('#schema/rules/shapes/account')).newAccount

export default function RegisterPage() {
  const session = useSession()
  const redirect = useSearchParams()[0].get('redirect') ?? undefined
  const target = safeRedirect(redirect)
  /** What a guest has already told us when ordering. */
  const known = useLocation().state as { name: string; email: string } | null
  const form = useForm({
    defaultValues: { name: '', email: '', ...known, password: '', confirmPassword: '' },
    resolver: useShape(shape),
  })
  const { errors, isSubmitting } = form.formState
  const [register] = useShopMutation(RegisterDocument, { asVisitor: true })

  async function submit({ confirmPassword, ...input }: z.output<typeof newAccount>) {
    const mark = (message: string) => form.setError('confirmPassword', { message }, { shouldFocus: true })
    if (!passwordsMatch({ password: input.password, confirmPassword }, mark)) return
    const payload = await register(
      { input: { ...input, timeZone: clockZone() } },
      { onRefused: ({ userErrors }) => showRefusals(form, userErrors) },
    )
    if (!payload?.user || !payload.token) return
    rememberDevice(payload.device)
    signInWith(payload.user, payload.token)
  }

  if (session) return <Navigate to={target} replace />
  return (
    <AccountFrame title="Create an account">
      <Head
        title="Register"
        description="Create an account to order yarn, follow your parcels and write reviews."
        canonical={paths.register()}
      />
      <NeedsScript>Opening an account needs JavaScript.</NeedsScript>
      <Stack as="form" method="post" noValidate onSubmit={form.handleSubmit(submit)}>
        <TextField
          {...form.register('name')}
          label="Name"
          required
          autoComplete="name"
          maxLength={limits.name}
          error={errors.name?.message}
        />
        <TextField
          {...form.register('email')}
          label="Email"
          required
          type="email"
          autoComplete="username"
          maxLength={limits.email}
          error={errors.email?.message}
        />
        <NewPasswordFields
          label="Password"
          password={form.register('password')}
          confirmPassword={form.register('confirmPassword')}
          errors={errors}
        />
        <Button type="submit" wide loading={isSubmitting}>
          Register
        </Button>
      </Stack>
      <ProviderWays redirect={redirect} />
      <Aside>
        Already have an account? <Link to={paths.login(redirect)}>Sign in</Link>
      </Aside>
    </AccountFrame>
  )
}
