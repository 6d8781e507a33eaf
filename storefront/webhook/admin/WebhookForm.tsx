import { useMutation } from '@apollo/client/react'
import { useId } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { limits } from '#schema/rules/limits'
import { useStale } from '../../admin/use-invalidate.ts'
import { messageOf, type UserError } from '../../data/errors.ts'
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
  const [create] = useMutation(CreateWebhookDocument)
  return (
    <WebhookDialog
      open={open}
      onClose={onClose}
      title="Add a webhook"
      confirm="Add webhook"
      values={{ url: '', description: '', events: [] }}
      save={async input => {
        const { webhook, secret, userErrors } = (await create({ variables: { input } })).data!.createWebhook
        if (webhook && secret) onMade(webhook, secret)
        return userErrors
      }}
    />
  )
}

export function EditWebhook({
  webhook: { id, url, description, events },
  open,
  onClose,
}: FormProps & { webhook: AdminWebhookFragment }) {
  const [update] = useMutation(UpdateWebhookDocument)
  return (
    <WebhookDialog
      open={open}
      onClose={onClose}
      title="Edit webhook"
      confirm="Save"
      values={{ url, description, events }}
      save={async input => {
        const { webhook, userErrors } = (await update({ variables: { id, input } })).data!.updateWebhook
        if (webhook) {
          notify.success('Webhook updated successfully.')
          onClose()
        }
        return userErrors
      }}
    />
  )
}

interface WebhookDialogProps extends FormProps {
  title: string
  confirm: string
  values: Values
  save: (values: Values) => Promise<readonly UserError[]>
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
  const stale = useStale()
  const { errors, isSubmitting } = form.formState

  async function submit(input: Values) {
    if (isSubmitting) return
    try {
      const refusals = await save(input)
      if (refusals.length > 0) return showRefusals(form, refusals)
      stale('auditLog')
    } catch (error) {
      notify.error(messageOf(error))
    }
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
