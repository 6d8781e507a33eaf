import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import { styled } from 'styled-components'
import { EMAIL_PATTERN, limits } from '#schema/rules/limits'
import { AccountFrame, Aside } from '../account/AccountFrame.tsx'
import { Head } from '../app/Head.tsx'
import { paths } from '../paths.ts'
import { color, size, space } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextField } from '../ui/TextField.tsx'
import { continueAsGuest, useGuest } from './guest.ts'

/** Shown below the sign-in on the way to checkout: how to order without an account. */
export function GuestOffer({ target }: { target: string }) {
  return (
    <Offer aria-labelledby="guest">
      <h2 id="guest">No account? No need.</h2>
      <p>Your email is enough to order.</p>
      <LinkButton as={Link} to={paths.guest(target)} $variant="quiet">
        Continue as a guest
      </LinkButton>
    </Offer>
  )
}

/** The form in which a guest gives an email address. */
export function GuestEntrance({ target }: { target: string }) {
  const navigate = useNavigate()
  const known = useGuest()
  const form = useForm({ values: { email: known ?? '' } })

  function submit({ email }: { email: string }) {
    continueAsGuest(email.trim())
    void navigate(target)
  }

  return (
    <AccountFrame
      title="Continue as a guest"
      lead="We write to you about this order alone. Each mail has a link that opens it, so keep them as you would a receipt."
    >
      <Head title="Continue as a guest" />
      <Stack as="form" method="post" noValidate onSubmit={form.handleSubmit(submit)}>
        <TextField
          {...form.register('email', {
            validate: email => EMAIL_PATTERN.test(email.trim()) || 'Please enter a valid email address.',
          })}
          label="Email"
          required
          type="email"
          autoComplete="email"
          maxLength={limits.email}
          error={form.formState.errors.email?.message}
        />
        <Button type="submit" wide>
          Continue
        </Button>
      </Stack>
      <Aside>
        Have an account? <Link to={paths.login(target)}>Sign in</Link>
      </Aside>
    </AccountFrame>
  )
}

const Offer = styled.section`
  display: grid;
  gap: ${space[3]};
  padding-top: ${space[5]};
  border-top: 1px solid ${color.line};
  h2 {
    font-size: ${size.xl};
  }
  p {
    color: ${color.textQuiet};
  }
`
