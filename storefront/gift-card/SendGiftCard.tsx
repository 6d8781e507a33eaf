import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { formatCents } from '#schema/rules/money'
import { typedSending } from '#schema/rules/shapes/gift-card'
import { useUnsavedWork } from '../account/interruption.ts'
import { showRefusals } from '../data/forms.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { FormDialog } from '../ui/FormDialog.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { TextField } from '../ui/TextField.tsx'
import { notify } from '../ui/toast.ts'
import { type BoughtGiftCardFragment, SendGiftCardDocument } from './BoughtGiftCards.gql.ts'

interface SendGiftCardProps {
  card: BoughtGiftCardFragment
  open: boolean
  onClose: () => void
}

/** Mails a gift card to whom it is for. What was typed stays when it is closed. */
export function SendGiftCard({ card, open, onClose }: SendGiftCardProps) {
  const [send, { loading }] = useShopMutation(SendGiftCardDocument)
  const form = useForm({
    defaultValues: { email: card.sentTo ?? '', message: '' },
    resolver: zodResolver(typedSending),
  })
  const { errors, isDirty } = form.formState
  useUnsavedWork(open && isDirty)

  async function submit({ email, message }: z.output<typeof typedSending>) {
    if (loading) return
    const payload = await send(
      { id: card.id, input: { email, message: message || null } },
      { onRefused: ({ userErrors }) => showRefusals(form, userErrors) },
    )
    if (!payload) return
    notify.success(`Gift card sent to ${email}.`)
    form.reset({ email, message: '' })
    onClose()
  }

  return (
    <FormDialog
      alert
      open={open}
      onClose={onClose}
      title={`Send the gift card over ${formatCents(card.balance)}`}
      description="Its code goes out at once, with your name and your words."
      action="Send"
      loading={loading}
    >
      {id => (
        <Stack as="form" id={id} noValidate onSubmit={form.handleSubmit(submit)}>
          <TextField
            {...form.register('email')}
            label="Email of who gets it"
            required
            type="email"
            maxLength={limits.email}
            autoComplete="off"
            error={errors.email?.message}
          />
          <TextArea
            {...form.register('message')}
            label="Your message"
            optional
            rows={3}
            maxLength={limits.giftMessage}
            error={errors.message?.message}
          />
        </Stack>
      )}
    </FormDialog>
  )
}
