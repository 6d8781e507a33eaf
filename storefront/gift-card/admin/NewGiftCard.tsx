import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { currencyName } from '#schema/rules/currency'
import { limits } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { typedGiftCard } from '#schema/rules/shapes/gift-card'
import { useUnsavedWork } from '../../account/interruption.ts'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { showRefusals } from '../../data/forms.ts'
import { type OnRefused, useShopMutation } from '../../data/use-shop-mutation.ts'
import type { GiftCardInput } from '../../generated/types.ts'
import { ShownOnce } from '../../partner/admin/ShownOnce.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/toast.ts'
import { IssueGiftCardDocument } from './GiftCards.gql.ts'

/** Makes a gift card. Its code goes to who gets it, or is shown once where it is mailed to nobody. */
export function NewGiftCard({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [issue, { loading }] = useShopMutation(IssueGiftCardDocument)
  const invalidate = useInvalidate()
  const [code, setCode] = useState<string | null>(null)
  if (code !== null)
    return (
      <ShownOnce
        title="The gift card is ready"
        label="Code"
        secret={code}
        warning="Write it on the card you hand out, or copy it. It is shown only now."
        otherwise="You can stop the card and issue another."
        onClose={() => setCode(null)}
      />
    )
  return (
    <FormDialog
      alert
      open={open}
      onClose={onClose}
      title="Issue a gift card"
      action="Issue gift card"
      loading={loading}
    >
      {id => (
        <Fields
          id={id}
          save={async (input, onRefused) => {
            const payload = await issue({ input }, { onRefused })
            if (!payload) return
            invalidate('auditLog')
            if (input.email) notify.success(`Gift card sent to ${input.email}.`)
            // Where it is sent to nobody, somebody has to hand it out.
            else setCode(payload.code)
            onClose()
          }}
        />
      )}
    </FormDialog>
  )
}

interface FieldsProps {
  id: string
  save: (input: GiftCardInput, onRefused: OnRefused) => Promise<void>
}

function Fields({ id, save }: FieldsProps) {
  const form = useForm({
    defaultValues: { amount: '', email: '', message: '', note: '' },
    resolver: zodResolver(typedGiftCard),
  })
  const { errors, isDirty, isSubmitting } = form.formState
  useUnsavedWork(isDirty)
  const email = useWatch({ control: form.control, name: 'email' }).trim()
  // Keys stay the same until a card was made, so pressing twice makes one.
  const [keys, setKeys] = useState<Record<string, string>>({})

  async function submit({ amount, email, message, note }: z.output<typeof typedGiftCard>) {
    if (isSubmitting) return
    const what = `${amount} ${email}`
    const idempotencyKey = keys[what] ?? crypto.randomUUID()
    setKeys({ ...keys, [what]: idempotencyKey })
    const input = {
      amount,
      email: email || null,
      message: (email && message) || null,
      note: note || null,
      idempotencyKey,
    }
    await save(input, ({ userErrors }) => showRefusals(form, userErrors))
  }

  return (
    <Stack as="form" id={id} noValidate onSubmit={form.handleSubmit(submit)}>
      <TextField
        {...form.register('amount')}
        label={`Amount in ${currencyName()}`}
        required
        inputMode="decimal"
        autoComplete="off"
        error={errors.amount?.message}
      />
      <TextField
        {...form.register('email')}
        label="Send the code to"
        optional
        hint="Left empty, it is shown to you, to hand out."
        type="email"
        maxLength={limits.email}
        autoComplete="off"
        error={errors.email?.message}
      />
      {email !== '' && (
        <TextArea
          {...form.register('message')}
          label="Message in the letter"
          optional
          rows={3}
          maxLength={limits.giftMessage}
          error={errors.message?.message}
        />
      )}
      <TextField
        {...form.register('note')}
        label="Note"
        optional
        hint="For the shop alone, such as who paid for it."
        maxLength={ownerLimits.reason}
        autoComplete="off"
        error={errors.note?.message}
      />
    </Stack>
  )
}
