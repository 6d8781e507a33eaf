import { useId } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { limits } from '#schema/rules/limits'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { type OnRefused, useShopMutation } from '../../data/use-shop-mutation.ts'
import { showRefusals } from '../../data/forms.ts'
import type { EventType } from '../../generated/types.ts'
import { notify } from '../../ui/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { ChoiceList } from '../../ui/ChoiceList.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { eventMeaning, events, eventWords, wireType } from './events.ts'
import { type AdminWebhookFragment, CreateWebhookDocument, UpdateWebhookDocument } from './Webhooks.gql.ts'

interface Values {
  url: string
  description: string
  events: EventType[]
}

interface FormProps {
  open: boolean
  onClose: () => void
}

/** Asks where a new webhook leads; its secret goes to `onMade`, once. */
export function NewWebhook({
  open,
  onClose,
  onMade,
}: FormProps & { onMade: (webhook: AdminWebhookFragment, secret: string) => void }) {
  const [create] = useShopMutation(CreateWebhookDocument)
  const invalidate = useInvalidate()
  return (
    <WebhookDialog
      open={open}
      onClose={onClose}
      title="Add a webhook"
      confirm="Add webhook"
      values={{ url: '', description: '', events: [] }}
      save={async (input, onRefused) => {
        const payload = await create({ input }, { onRefused })
        if (!payload?.webhook || !payload.secret) return
        invalidate('auditLog')
        onMade(payload.webhook, payload.secret)
      }}
    />
  )
}

export function EditWebhook({
  webhook: { id, url, description, events },
  open,
  onClose,
}: FormProps & { webhook: AdminWebhookFragment }) {
  const [update] = useShopMutation(UpdateWebhookDocument)
  const invalidate = useInvalidate()
  return (
    <WebhookDialog
      open={open}
      onClose={onClose}
      title="Edit webhook"
      confirm="Save"
      values={{ url, description, events }}
      save={async (input, onRefused) => {
        if (!(await update({ id, input }, { onRefused }))) return
        invalidate('auditLog')
        notify.success('Webhook updated successfully.')
        onClose()
      }}
    />
  )
}

interface WebhookDialogProps extends FormProps {
  title: string
  confirm: string
  values: Values
  save: (values: Values, onRefused: OnRefused) => Promise<void>
}

function WebhookDialog({ open, onClose, title, confirm, ...rest }: WebhookDialogProps) {
  const id = useId()
  return (
    <Dialog
      alert
      open={open}
      onOpenChange={next => !next && onClose()}
      title={title}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id}>
            {confirm}
          </Button>
        </>
      }
    >
      <Fields id={id} {...rest} />
    </Dialog>
  )
}

function Fields({ id, values, save }: { id: string } & Pick<WebhookDialogProps, 'values' | 'save'>) {
  const form = useForm<Values>({ defaultValues: values })
  const { errors, isSubmitting } = form.formState

  async function submit(input: Values) {
    if (isSubmitting) return
    await save(input, ({ userErrors }) => showRefusals(form, userErrors))
  }

  return (
    <Stack as="form" id={id} noValidate onSubmit={form.handleSubmit(submit)}>
      <TextField
        {...form.register('url', { validate: url => url.trim() !== '' || 'Address is required.' })}
        label="Address"
        type="url"
        hint="Where the partner listens. It starts with https:// and is reached from the internet."
        maxLength={limits.webhookUrl}
        autoComplete="off"
        error={errors.url?.message}
      />
      <TextField
        {...form.register('description')}
        label="Description"
        optional
        hint="Whose it is, or what for."
        maxLength={limits.productText}
        autoComplete="off"
        error={errors.description?.message}
      />
      <Controller
        control={form.control}
        name="events"
        rules={{ validate: chosen => chosen.length > 0 || 'Choose at least one event.' }}
        render={({ field: { value, onChange } }) => (
          <ChoiceList
            legend="What it hears of"
            choices={events.map(event => ({
              value: event,
              label: eventWords[event],
              code: wireType(event),
              detail: eventMeaning[event],
            }))}
            chosen={value}
            onChange={onChange}
            error={errors.events?.message}
          />
        )}
      />
    </Stack>
  )
}
