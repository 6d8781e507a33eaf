import { useQuery, useSuspenseQuery } from '@apollo/client/react'
import { lazy, Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm, useWatch } from 'react-hook-form'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { messageOf } from '../data/errors.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { showRefusals } from '../data/forms.ts'
import { Head } from '../app/Head.tsx'
import { ShopDocument } from '../app/Shop.gql.ts'
import { OrderTable } from '../order/OrderTable.tsx'
import { paths } from '../paths.ts'
import { from, measure, space } from '../theme/tokens.ts'
import { notify } from '../ui/toast.ts'
import { Button } from '../ui/Button.tsx'
import { Cluster } from '../ui/Cluster.tsx'
import { Container } from '../ui/Container.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Link } from '../ui/Link.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Stack } from '../ui/Stack.tsx'
import { PasswordField, TextField } from '../ui/TextField.tsx'
import { rememberDevice } from './device.ts'
import { useUnsavedWork } from './interruption.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { passwordsMatch } from './password-pair.ts'
import { MyAccountDocument, MyOrdersDocument, UpdateProfileDocument } from './ProfilePage.gql.ts'
import { RevokeApiKeys } from './RevokeApiKeys.tsx'
import { currentSession, signInWith, useSession, useSignedIn } from './session.ts'

// Few people have an address to confirm.
const EmailNotice = lazy(() => import('./EmailNotice.tsx'))

// Only administrators are offered a second factor.
const SecondFactorSection = lazy(() => import('./SecondFactorSection.tsx'))

const IdentitiesSection = lazy(() => import('./IdentitiesSection.tsx'))

const OwnDataSection = lazy(() => import('./OwnDataSection.tsx'))

export default function ProfilePage() {
  const isAdmin = useSession()?.isAdmin
  const hasProviders = useSuspenseQuery(ShopDocument).data.shop.signInProviders.length > 0
  const orders = useMyOrders()
  /** When the orders cannot be loaded, the other sections would most likely fail too: the failure is shown once. */
  const isAway = orders.error !== undefined && !orders.data
  return (
    <Container>
      <Head title="Profile" />
      <h1 id="profile">Profile</h1>
      {/* Orders are what people come for: they come first when the columns stack. */}
      <Columns>
        <section aria-labelledby="orders">
          <h2 id="orders">Your Orders</h2>
          <Orders answer={orders} />
        </section>
        <section aria-labelledby="profile">
          <Cluster $gap={5}>
            <Link to={paths.addresses()}>Your address book</Link>
            <Link to={paths.downloads()}>Your downloads</Link>
          </Cluster>
          <ProfileForm />
          {isAdmin && !isAway && (
            <Suspense fallback={<Skeleton $height="3rem" />}>
              <SecondFactorSection />
            </Suspense>
          )}
          {hasProviders && !isAway && (
            <Suspense fallback={<Skeleton $height="3rem" />}>
              <IdentitiesSection />
            </Suspense>
          )}
          <Suspense fallback={<Skeleton $height="3rem" />}>
            <OwnDataSection />
          </Suspense>
        </section>
      </Columns>
    </Container>
  )
}

interface Values {
  name: string
  email: string
  password: string
  confirmPassword: string
  currentPassword: string
  revokeApiKeys: boolean
}

/** The profile form's state, and how it is saved. */
function useProfileForm() {
  const session = useSignedIn()
  const { data, refetch } = useQuery(MyAccountDocument)
  const account = data?.viewer
  const form = useForm<Values>({
    defaultValues: {
      name: session.name,
      email: session.email,
      password: '',
      confirmPassword: '',
      currentPassword: '',
      revokeApiKeys: false,
    },
  })
  useUnsavedWork(form.formState.isDirty)
  const [updateProfile] = useShopMutation(UpdateProfileDocument)
  /** The shop wants proof even though the email does not change: the last sign-in was too long ago. */
  const [isAsked, setIsAsked] = useState(false)
  const [email, password] = useWatch({ control: form.control, name: ['email', 'password'] })
  const isMoving = email.trim() !== session.email
  // True until the account is known to have no password.
  const hasPassword = account?.hasPassword !== false

  async function submit({ confirmPassword, ...input }: Values) {
    const mark = (message: string) => form.setError('confirmPassword', { message }, { shouldFocus: true })
    if (!passwordsMatch({ password: input.password, confirmPassword }, mark)) return
    const payload = await updateProfile(
      { input },
      {
        onRefused: ({ userErrors }) => {
          // The field must be rendered before the error can be shown beside it.
          if (userErrors.some(({ code }) => code === 'CURRENT_PASSWORD')) flushSync(() => setIsAsked(true))
          showRefusals(form, userErrors)
        },
      },
    )
    if (!payload?.user) return
    const { name, email } = payload.user
    // A new password comes with a new token; otherwise the session keeps its own.
    signInWith(payload.user, payload.token ?? currentSession()?.token ?? session.token)
    rememberDevice(payload.device)
    setIsAsked(false)
    form.reset({ name, email, password: '', confirmPassword: '', currentPassword: '', revokeApiKeys: false })
    notify.success('Profile updated successfully.')
    void refetch()
  }
  return {
    form,
    account,
    refetch,
    submit,
    isMoving,
    hasPassword,
    asksForPassword: hasPassword && (isMoving || isAsked),
    asksForKeys: password !== '',
  }
}

function ProfileForm() {
  const { form, account, refetch, submit, isMoving, hasPassword, asksForPassword, asksForKeys } = useProfileForm()
  const { errors, isSubmitting } = form.formState
  return (
    // SPEC §5: sent as it is, the server decides.
    <Stack as="form" method="post" noValidate onSubmit={form.handleSubmit(submit)}>
      {account && (!account.emailVerified || account.newEmail) && (
        <Suspense>
          <EmailNotice account={account} onChange={() => void refetch()} />
        </Suspense>
      )}
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
        hint={isMoving ? 'It counts once you confirm it by a link that we send there.' : undefined}
      />
      <NewPasswordFields
        password={form.register('password')}
        confirmPassword={form.register('confirmPassword')}
        errors={errors}
        optional
        hint={hasPassword ? 'Leave blank to keep the one you have.' : 'You have none so far, and need none.'}
      />
      {asksForPassword && (
        <PasswordField
          {...form.register('currentPassword')}
          label="Current password"
          hint="So that nobody else changes this."
          error={errors.currentPassword?.message}
        />
      )}
      {asksForKeys && account && account.apiKeyNames.length > 0 && (
        <RevokeApiKeys {...form.register('revokeApiKeys')} names={account.apiKeyNames} />
      )}
      <Button type="submit" loading={isSubmitting}>
        Update
      </Button>
    </Stack>
  )
}

const useMyOrders = () => useQuery(MyOrdersDocument, { notifyOnNetworkStatusChange: true })

function Orders({ answer: { data, error, loading, refetch } }: { answer: ReturnType<typeof useMyOrders> }) {
  if (data) return data.myOrders.length > 0 ? <OrderTable orders={data.myOrders} /> : <Notice>No orders found.</Notice>
  if (error)
    return (
      <ErrorState onRetry={() => void refetch()} retrying={loading}>
        {messageOf(error)}
      </ErrorState>
    )
  return (
    <Stack aria-busy="true">
      {[1, 2, 3].map(row => (
        <Skeleton key={row} $height="3rem" />
      ))}
    </Stack>
  )
}

const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[7]};
  margin-top: ${space[5]};
  > section {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: ${space[5]};
    align-content: start;
    min-width: 0;
  }
  ${from.desktop} {
    grid-template: 'profile orders' / minmax(0, calc(${measure.narrow} * 0.8)) minmax(0, 1fr);
    gap: ${space[8]};
    > :first-child {
      grid-area: orders;
    }
    > :last-child {
      grid-area: profile;
    }
  }
`
