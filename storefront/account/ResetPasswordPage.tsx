import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useLocation, useNavigate } from 'react-router-dom'
import { limits } from '#schema/rules/limits'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { showRefusals } from '../data/forms.ts'
import { Head } from '../app/Head.tsx'
import { paths } from '../paths.ts'
import { useHydrated } from '../data/stored.ts'
import { notify } from '../ui/toast.ts'
import { Button } from '../ui/Button.tsx'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Stack } from '../ui/Stack.tsx'
import { AccountFrame, Aside } from './AccountFrame.tsx'
import { rememberDevice } from './device.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { passwordsMatch } from './password-pair.ts'
import { RevokeApiKeys } from './RevokeApiKeys.tsx'
import { resetRedirect } from './reset-redirect.ts'
import { ResetPasswordDocument } from './ResetPasswordPage.gql.ts'
import { signOut } from './session.ts'
import { UndoneLink, usedOrOld } from './UndoneLink.tsx'

interface Values {
  password: string
  confirmPassword: string
  revokeApiKeys: boolean
}

export default function ResetPasswordPage() {
  const navigate = useNavigate()
  const hydrated = useHydrated()
  const { hash } = useLocation()
  const [token, setToken] = useState('')
  /** The token that did not work; empty when none has failed. */
  const [spent, setSpent] = useState('')
  /** The names of API keys that act for the account, once the shop has asked what to do with them. */
  const [apiKeys, setApiKeys] = useState<readonly string[]>([])
  const form = useForm<Values>({ defaultValues: { password: '', confirmPassword: '', revokeApiKeys: true } })
  const { errors, isSubmitting } = form.formState
  const [resetPassword] = useShopMutation(ResetPasswordDocument, { asVisitor: true })

  if (hash && hash !== `#${token}`) setToken(hash.slice(1))
  useEffect(() => {
    // Once it is read, the token is removed from the address bar and the history.
    if (hash) void navigate(paths.resetPassword(), { replace: true })
  }, [hash, navigate])

  async function submit({ password, confirmPassword, revokeApiKeys }: Values) {
    const mark = (message: string) => form.setError('confirmPassword', { message }, { shouldFocus: true })
    if (!passwordsMatch({ password, confirmPassword }, mark)) return
    const payload = await resetPassword(
      { token, password, revokeApiKeys: apiKeys.length > 0 ? revokeApiKeys : undefined },
      {
        onRefused: ({ apiKeys: asked, userErrors }) => {
          if (userErrors.some(({ code }) => code === 'RESET_LINK_SPENT')) return setSpent(token)
          if (!asked) return showRefusals(form, userErrors)
          setApiKeys(asked)
          notify.warning('One more question: may programs go on with their API keys?')
        },
      },
    )
    if (!payload) return
    rememberDevice(payload.device)
    const redirect = resetRedirect.get()
    resetRedirect.set('')
    signOut()
    notify.success('Your password is changed. Please sign in with it.')
    void navigate(paths.login(redirect), { replace: true })
  }

  if (hydrated && token === spent) {
    return (
      <UndoneLink why={usedOrOld(`${limits.resetMinutes} minutes`)}>
        <LinkButton as={Link} to={paths.forgotPassword(resetRedirect.get())} $wide>
          Send me a new link
        </LinkButton>
        <Aside>
          <Link to={paths.login(resetRedirect.get())}>Back to signing in</Link>
        </Aside>
      </UndoneLink>
    )
  }
  return (
    <AccountFrame
      title="Choose a new password"
      lead="Everyone who is signed in to your account, you on other devices too, is signed out."
    >
      <Head title="Choose a new password" />
      <Stack as="form" method="post" noValidate onSubmit={form.handleSubmit(submit)}>
        <NewPasswordFields
          password={form.register('password', { required: 'Password is required.' })}
          confirmPassword={form.register('confirmPassword')}
          errors={errors}
        />
        {apiKeys.length > 0 && <RevokeApiKeys {...form.register('revokeApiKeys')} names={apiKeys} />}
        <Button type="submit" wide loading={isSubmitting}>
          Change my password
        </Button>
      </Stack>
    </AccountFrame>
  )
}
