import type { ApolloClient } from '@apollo/client'
import { type ActionFunction, data as routerData, useActionData } from 'react-router-dom'
import { limits } from '#schema/rules/limits'
import { AccountFrame } from '../account/AccountFrame.tsx'
import { Head } from '../app/Head.tsx'
import { FALLBACK_MESSAGE, isRefused, messageOf } from '../data/errors.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextField } from '../ui/TextField.tsx'
import { type Asked, codeWords, Letter, WELCOME, WelcomeCode } from './Letter.tsx'
import { monthly, useOffer } from './offer.ts'
import { SubscribeDocument } from './Subscribe.gql.ts'

const subscribe =
  (client: ApolloClient): ActionFunction =>
  async ({ request }) => {
    const email = String((await request.formData()).get('email') ?? '').trim()
    try {
      const { data } = await client.mutate({ mutation: SubscribeDocument, variables: { email } })
      const { mailbox, userErrors } = data?.subscribeToNewsletter ?? { userErrors: [{ message: FALLBACK_MESSAGE }] }
      const [refusal] = userErrors
      if (!refusal) return { email, mailbox } satisfies Asked
      return routerData({ email, trouble: refusal.message } satisfies Asked, { status: 422 })
    } catch (error) {
      return routerData({ email, trouble: messageOf(error) } satisfies Asked, { status: isRefused(error) ? 422 : 503 })
    }
  }

export const action = import.meta.env.SSR ? subscribe : undefined

/** Signs people up for the newsletter without our script; with it, NewsletterBox.tsx does so on any page. */
export default function NewsletterPage() {
  const asked = useActionData() as Asked | undefined
  const offer = useOffer()
  if (asked && !asked.trouble) {
    return (
      <AccountFrame title={WELCOME} lead={codeWords(offer)}>
        <Head title={WELCOME} />
        <WelcomeCode />
        <Letter {...asked} />
        <LinkButton as={Link} to={paths.home()} $wide>
          Shop Now
        </LinkButton>
      </AccountFrame>
    )
  }
  return (
    <AccountFrame title="Newsletter" lead={monthly(offer)}>
      <Head title="Newsletter" />
      <Stack as="form" method="post" action={paths.newsletterForm()}>
        <TextField
          label="Email address"
          type="email"
          name="email"
          autoComplete="email"
          maxLength={limits.email}
          defaultValue={asked?.email}
          error={asked?.trouble}
          required
        />
        <Button type="submit" wide>
          Sign me up
        </Button>
      </Stack>
    </AccountFrame>
  )
}
