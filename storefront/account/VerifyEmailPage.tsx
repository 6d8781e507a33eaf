import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { limits } from '#schema/rules/limits'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { Head } from '../app/Head.tsx'
import { paths } from '../paths.ts'
import { useHydrated } from '../data/stored.ts'
import { notify } from '../ui/toast.ts'
import { Button } from '../ui/Button.tsx'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { AccountFrame, Aside } from './AccountFrame.tsx'
import { PageLoading } from './PageLoading.tsx'
import { UndoneLink, usedOrOld } from './UndoneLink.tsx'
import { currentSession, signInWith, useSession } from './session.ts'
import { ConfirmEmailDocument } from './VerifyEmailPage.gql.ts'
import { verifyToken } from './verify-token.ts'

/** The page that an email's link opens. The token proves access to the mailbox; the session says whose account it is. */
export default function VerifyEmailPage() {
  const navigate = useNavigate()
  const hydrated = useHydrated()
  const session = useSession()
  const token = verifyToken.use()
  const { hash } = useLocation()
  /** Why it did not work, if it did not. */
  const [refusal, setRefusal] = useState('')
  const [confirm, { loading }] = useShopMutation(ConfirmEmailDocument)

  useEffect(() => {
    if (!hash) return
    // Once it is read, the token is removed from the address bar and the history.
    verifyToken.set(hash.slice(1))
    void navigate(paths.verifyEmail(), { replace: true })
  }, [hash, navigate])

  async function submit() {
    const payload = await confirm(
      { token },
      {
        onRefused: ({ userErrors }) => {
          verifyToken.set('')
          setRefusal(userErrors.map(({ message }) => message).join(' '))
        },
      },
    )
    const current = currentSession()
    if (!payload?.user || !current) return
    verifyToken.set('')
    signInWith(payload.user, current.token)
    notify.success('Your email is confirmed.')
    void navigate(paths.profile(), { replace: true })
  }

  if (!hydrated || hash) return <PageLoading />
  if (!token) {
    return (
      <UndoneLink why={refusal || usedOrOld(`${limits.confirmHours} hours`)}>
        <LinkButton as={Link} to={paths.profile()} $wide>
          Go to my profile
        </LinkButton>
      </UndoneLink>
    )
  }
  if (!session) {
    return (
      <AccountFrame
        title="Confirm your email"
        lead="Please sign in to the account whose email this is; then it is confirmed with one more step."
      >
        <Head title="Confirm your email" />
        <LinkButton as={Link} to={paths.login(paths.verifyEmail())} $wide>
          Sign in
        </LinkButton>
      </AccountFrame>
    )
  }
  return (
    <AccountFrame
      title="Confirm your email"
      lead={
        <>
          You are signed in as <strong>{session.name}</strong>. Is this mailbox yours, too?
        </>
      }
    >
      <Head title="Confirm your email" />
      <Button wide loading={loading} onClick={() => void submit()}>
        Confirm my email
      </Button>
      <Aside>Did you open no account here? Then there is nothing to do.</Aside>
    </AccountFrame>
  )
}
