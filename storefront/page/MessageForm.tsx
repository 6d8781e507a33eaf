import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useActionData } from 'react-router-dom'
import { styled } from 'styled-components'
import type { z } from 'zod'
import { limits } from '#schema/rules/limits'
import type { message } from '#schema/rules/shapes/message'
import { showRefusals } from '../data/forms.ts'
import { useShape } from '../data/use-shape.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { paths } from '../paths.ts'
import { measure, space } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { TextField } from '../ui/TextField.tsx'
import { SendMessageDocument } from './ShopPage.gql.ts'

const shape = async () => (await import('#schema/rules/shapes/message')).message
type Values = z.output<typeof message>

const BLANK: Values = { name: '', email: '', message: '' }

interface Sent {
  to: string
  mailbox: string | null | undefined
}

/** The response to the form when it is sent without our script. */
export type Answer = { sent: Sent } | { values: Values; problems: { field: string | undefined; message: string }[] }

/** A message to the owner. What was typed stays until it is on its way. */
export function MessageForm() {
  const answer = useActionData() as Answer | undefined
  const { values = BLANK, problems = [] } = answer && 'values' in answer ? answer : {}
  const form = useForm({ defaultValues: values, resolver: useShape(shape) })
  const { errors, isSubmitting } = form.formState
  const problemOf = (name: keyof Values) =>
    errors[name]?.message ?? problems.find(({ field }) => field === name)?.message
  const others = problems.filter(({ field }) => !(field && field in BLANK))
  const [send] = useShopMutation(SendMessageDocument, { asVisitor: true })
  const [sent, setSent] = useState<Sent | null>(answer && 'sent' in answer ? answer.sent : null)

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
        {others.map(({ message }) => (
          <Notice key={message} variant="danger">
            {message}
          </Notice>
        ))}
      </div>
      <Stack as="form" method="post" action={paths.shopPage('contact')} noValidate onSubmit={form.handleSubmit(submit)}>
        <TextField
          {...form.register('name')}
          label="Your name"
          required
          autoComplete="name"
          maxLength={limits.name}
          defaultValue={values.name}
          error={problemOf('name')}
        />
        <TextField
          {...form.register('email')}
          label="Your email"
          required
          type="email"
          autoComplete="email"
          maxLength={limits.email}
          defaultValue={values.email}
          error={problemOf('email')}
        />
        <TextArea
          {...form.register('message')}
          label="Message"
          required
          rows={6}
          maxLength={limits.message}
          defaultValue={values.message}
          error={problemOf('message')}
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
