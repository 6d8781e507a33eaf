import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Navigate, useSearchParams } from 'react-router-dom'
import { Head } from '../app/Head.tsx'
import { showRefusals } from '../data/forms.ts'
import { type OnRefused, useShopMutation } from '../data/use-shop-mutation.ts'
import { paths, safeRedirect } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { clockZone } from '../ui/dates.ts'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { NeedsScript } from '../ui/NeedsScript.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { PasswordField } from '../ui/TextField.tsx'
import { AccountFrame, Aside, Outcome } from './AccountFrame.tsx'
import { device, rememberDevice } from './device.ts'
import { PageLoading } from './PageLoading.tsx'
import { SecondFactorStep } from './SecondFactorStep.tsx'
import { signInWith, useSession } from './session.ts'
import { SignInWithProviderDocument } from './SigningInPage.gql.ts'
import { takeTicket } from './take-ticket.ts'

/** What signing in can need besides the provider's confirmation. */
interface More {
  password?: string
  newAccount?: boolean
  code?: string
}

type Step = { is: 'waiting' } | { is: 'done' } | { is: 'password' | 'code' | 'refused'; message: string }

/** The page that people return to from a provider. */
export default function SigningInPage() {
  const [search] = useSearchParams()
  const redirect = search.get('redirect') ?? undefined
  const session = useSession()
  const ticket = useRef<string | null>(null)
  /** What the shop has accepted so far; sent again with the next step. */
  const accepted = useRef<More>({})
  const [step, setStep] = useState<Step>({ is: 'waiting' })
  const [signIn] = useShopMutation(SignInWithProviderDocument, { asVisitor: true })

  async function send(more: More, onRefused: OnRefused) {
    const all = { ...accepted.current, ...more }
    const payload = await signIn(
      {
        input: {
          credential: { ticket: ticket.current ?? '' },
          ...all,
          device: device.get() || undefined,
          timeZone: clockZone(),
        },
      },
      {
        onRefused: refusal => {
          const [{ code, message } = { code: null, message: '' }] = refusal.userErrors
          if (code === 'PASSWORD_REQUIRED') return setStep({ is: 'password', message })
          if (code === 'SECOND_FACTOR_REQUIRED') {
            accepted.current = all
            return setStep({ is: 'code', message })
          }
          if (code === 'WRONG_CREDENTIALS' || code === 'SECOND_FACTOR_WRONG') return onRefused(refusal)
          setStep({ is: 'refused', message })
        },
      },
    )
    if (!payload?.user || !payload.token) return
    rememberDevice(payload.device)
    setStep({ is: 'done' })
    signInWith(payload.user, payload.token)
  }

  useEffect(() => {
    if (ticket.current) return
    ticket.current = takeTicket()
    if (ticket.current) void send({}, () => {})
    else setStep({ is: 'refused', message: '' })
    // Runs once, after the page has mounted.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  const head = <Head title="Signing in" />
  const target = safeRedirect(redirect)
  const isOver = step.is === 'done' || (step.is === 'refused' && !step.message && session !== null)
  if (isOver && target !== paths.signingIn()) return <Navigate to={target} replace />
  if (isOver)
    return (
      <Outcome title="You are signed in" lead="This tab can be closed.">
        {head}
      </Outcome>
    )
  if (step.is === 'waiting')
    return (
      <>
        {head}
        <NeedsScript>Signing in needs JavaScript. Turn it on for this shop, and sign in once more.</NeedsScript>
        <PageLoading />
      </>
    )
  if (step.is === 'password')
    return (
      <AccountFrame title="One more step" lead={step.message}>
        {head}
        <PasswordStep send={send} />
      </AccountFrame>
    )
  if (step.is === 'code')
    return (
      <AccountFrame title="One more step" lead={step.message}>
        {head}
        <SecondFactorStep send={(code, onRefused) => send({ code }, onRefused)} />
      </AccountFrame>
    )
  return (
    <Outcome title="Not signed in" lead={step.message || 'Please begin once more.'}>
      {head}
      <LinkButton as={Link} to={paths.login(redirect)} $wide>
        Back to signing in
      </LinkButton>
    </Outcome>
  )
}

/** An account already has this email. Knowing its password proves that both belong to the same person. */
function PasswordStep({ send }: { send: (more: More, onRefused: OnRefused) => Promise<void> }) {
  const form = useForm({ defaultValues: { password: '' } })
  const { errors, isSubmitting } = form.formState
  return (
    <>
      <Stack
        as="form"
        method="post"
        noValidate
        onSubmit={form.handleSubmit(({ password }) =>
          send({ password }, ({ userErrors }) => showRefusals(form, userErrors)),
        )}
      >
        <PasswordField
          {...form.register('password', { required: 'Password is required.' })}
          error={errors.password?.message}
        />
        <Button type="submit" wide loading={isSubmitting}>
          Sign In
        </Button>
      </Stack>
      <Aside>
        <Link to={paths.forgotPassword()}>Forgot your password?</Link>
      </Aside>
      <Aside>
        <TextButton onClick={() => void send({ newAccount: true }, () => {})}>Go on with a new account</TextButton>
      </Aside>
    </>
  )
}
