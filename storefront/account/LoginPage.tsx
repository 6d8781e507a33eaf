import { lazy, Suspense, useState } from 'react'
import { useForm } from 'react-hook-form'
import {
  type ActionFunction,
  data as routerData,
  Navigate,
  useActionData,
  useLocation,
  useSearchParams,
} from 'react-router-dom'
import { EMAIL_PATTERN } from '#schema/rules/limits'
import { checkoutStepAt } from '../checkout/checkout-step.ts'
import { GuestEntrance, GuestOffer } from '../checkout/GuestEntrance.tsx'
import { type OnRefused, useShopMutation } from '../data/use-shop-mutation.ts'
import { showRefusals } from '../data/forms.ts'
import { Head } from '../app/Head.tsx'
import { paths, safeRedirect } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { Link } from '../ui/Link.tsx'
import { NeedsScript } from '../ui/NeedsScript.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Stack } from '../ui/Stack.tsx'
import { PasswordField, TextField } from '../ui/TextField.tsx'
import { AccountFrame, Aside } from './AccountFrame.tsx'
import { device, rememberDevice } from './device.ts'
import { LoginDocument } from './LoginPage.gql.ts'
import { ProviderWays } from './ProviderWays.tsx'
import { SecondFactorStep } from './SecondFactorStep.tsx'
import { signInWith, useSession } from './session.ts'

const ProviderTrouble = lazy(() => import('./ProviderTrouble.tsx'))

interface Values {
  email: string
  password: string
}

/** What the server answers to the form when our script does not run. */
interface Answer {
  email: string
  problem: string | null
}

/** Does not sign in: the session is kept in the browser's storage, which only a script can write. Decision 037. */
const answerForm =
  (): ActionFunction =>
  async ({ request }) => {
    const email = String((await request.formData()).get('email') ?? '').trim()
    const problem = EMAIL_PATTERN.test(email) ? null : 'Please enter a valid email address.'
    return routerData({ email, problem } satisfies Answer, { status: problem ? 422 : 200 })
  }

export const action = import.meta.env.SSR ? answerForm : undefined

export default function LoginPage() {
  const session = useSession()
  const answer = useActionData() as Answer | undefined
  const [search] = useSearchParams()
  const redirect = search.get('redirect') ?? undefined
  const target = safeRedirect(redirect)
  const isCheckout = checkoutStepAt(useLocation()) !== null
  const form = useForm<Values>({ defaultValues: { email: answer?.email ?? '', password: '' } })
  const { errors, isSubmitting } = form.formState
  const [login] = useShopMutation(LoginDocument, { asVisitor: true })
  /** The password was right, and the account has a second factor. */
  const [asksCode, setAsksCode] = useState(false)

  async function send(variables: Values & { code?: string }, onRefused: OnRefused) {
    const payload = await login({ ...variables, device: device.get() || undefined }, { onRefused })
    if (!payload?.user || !payload.token) return
    rememberDevice(payload.device)
    signInWith(payload.user, payload.token)
  }

  async function submit(values: Values) {
    await send(values, ({ userErrors }) => {
      if (userErrors.some(({ code }) => code === 'SECOND_FACTOR_REQUIRED')) return setAsksCode(true)
      form.setFocus('password')
      showRefusals(form, userErrors)
      // The toast soon disappears, but the reason is still needed while typing again.
      const [{ message, field } = { message: '', field: null }] = userErrors
      if (!field?.length) form.setError('password', { type: 'server', message })
    })
  }

  if (session) return <Navigate to={target} replace />
  if (isCheckout && search.has('guest')) return <GuestEntrance target={target} />
  if (asksCode) {
    return (
      <AccountFrame title="One more step" lead="Your password is right. This account asks for a code too.">
        <Head title="Sign In" description="Sign in to your account." canonical={paths.login()} />
        <SecondFactorStep
          send={(code, onRefused) => send({ ...form.getValues(), code }, onRefused)}
          onBack={() => setAsksCode(false)}
        />
      </AccountFrame>
    )
  }
  return (
    <AccountFrame title="Sign In">
      <Head title="Sign In" description="Sign in to your account." canonical={paths.login()} />
      {answer && !answer.problem ? (
        <Notice variant="warning">
          Signing in needs JavaScript, so your password was neither looked at nor kept. Turn JavaScript on for this
          shop, load this page again, and sign in once more. You can look around and fill your{' '}
          <Link to={paths.cart()}>cart</Link> without it.
        </Notice>
      ) : (
        <NeedsScript>
          Signing in and ordering need JavaScript. You can look around and fill your <Link to={paths.cart()}>cart</Link>{' '}
          without it.
        </NeedsScript>
      )}
      {search.has('trouble') && (
        <Suspense>
          <ProviderTrouble />
        </Suspense>
      )}
      {/* SPEC §5: sent as it is, the server decides. */}
      <Stack as="form" method="post" action={paths.login(redirect)} noValidate onSubmit={form.handleSubmit(submit)}>
        <TextField
          {...form.register('email')}
          label="Email"
          required
          type="email"
          autoComplete="username"
          defaultValue={answer?.email}
          error={errors.email?.message ?? answer?.problem}
        />
        <PasswordField {...form.register('password')} error={errors.password?.message} />
        <Button type="submit" wide loading={isSubmitting}>
          Sign In
        </Button>
      </Stack>
      <Aside>
        <Link to={paths.forgotPassword(redirect)}>Forgot your password?</Link>
      </Aside>
      <ProviderWays redirect={redirect} />
      <Aside>
        New here? <Link to={paths.register(redirect)}>Create an account</Link>
      </Aside>
      {isCheckout && <GuestOffer target={target} />}
    </AccountFrame>
  )
}
