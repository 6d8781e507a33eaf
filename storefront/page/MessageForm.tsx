import { useState } from 'react'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { styled } from 'styled-components'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { email, requiredText } from '#schema/rules/shapes/text'
import { showRefusals } from '../data/forms.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { measure, space } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { TextField } from '../ui/TextField.tsx'
import { SendMessageDocument } from './ShopPage.gql.ts'

const shape = z.object({
  name: requiredText('Name', limits.name),
  email,
  message: requiredText('Message', limits.message),
})
type Values = z.output<typeof shape>

const BLANK: Values = { name: '', email: '', message: '' }

/** A message to the owner. What was typed stays until it is on its way. */
export function MessageForm() {
  const form = useForm({ defaultValues: BLANK, resolver: zodResolver(shape) })
  const { errors, isSubmitting } = form.formState
  const [send] = useShopMutation(SendMessageDocument, { asVisitor: true })
  const [sent, setSent] = useState<{ to: string; mailbox: string | null | undefined } | null>(null)

  async function submit(input: Values) {
    const payload = await send({ input }, { onRefused: ({ userErrors }) => showRefusals(form, userErrors) })
    if (!payload) return
    setSent({ to: input.email, mailbox: payload.mailbox })
    form.reset(BLANK)
  }

  return (
    <Section aria-labelledby="write-title">
      <h2 id="write-title">Write to us</h2>
      <div role="status">
        {sent && (
          <Notice variant="success">
            Thank you. Your message is on its way; the answer goes to {sent.to}.{' '}
            {sent.mailbox && <a href={sent.mailbox}>This is a demonstration: read it here.</a>}
          </Notice>
        )}
      </div>
      <Stack as="form" method="post" noValidate onSubmit={form.handleSubmit(submit)}>
        <TextField
          {...form.register('name')}
          label="Your name"
          required
          autoComplete="name"
          maxLength={limits.name}
          error={errors.name?.message}
        />
        <TextField
          {...form.register('email')}
          label="Your email"
          required
          type="email"
          autoComplete="email"
          maxLength={limits.email}
          error={errors.email?.message}
        />
        <TextArea
          {...form.register('message')}
          label="Message"
          required
          rows={6}
          maxLength={limits.message}
          error={errors.message?.message}
        />
        <Button type="submit" loading={isSubmitting}>
          Send
        </Button>
      </Stack>
    </Section>
  )
}

const Section = styled.section`
  display: grid;
  gap: ${space[4]};
  max-width: ${measure.narrow};
  margin-top: ${space[6]};
`
