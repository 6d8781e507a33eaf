import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm } from 'react-hook-form'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { separated } from '#schema/rules/shapes/typed'
import { webhookFields } from '#schema/rules/shapes/webhook'
import { useUnsavedWork } from '../../account/interruption.ts'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { type OnRefused, useShopMutation } from '../../data/use-shop-mutation.ts'
import { problemOfList, showRefusals } from '../../data/forms.ts'
import { notify } from '../../ui/toast.ts'
import { ChoiceList } from '../../ui/ChoiceList.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { eventGroup, eventMeaning, events, eventWords, wireType } from './events.ts'
import { type AdminWebhookFragment, CreateWebhookDocument, UpdateWebhookDocument } from './Webhooks.gql.ts'

const shape = z.object({
  ...webhookFields,
  events: z.array(z.enum(events)).min(1, 'Choose at least one event.'),
  skus: separated.pipe(webhookFields.skus),
  tags: separated.pipe(webhookFields.tags),
})
type Typed = z.input<typeof shape>
type Values = z.output<typeof shape>

interface FormProps {
  open: boolean
  onClose: () => void
}

/** Asks for a new webhook's address; its secret goes to `onMade`, once. */
export function NewWebhook({
  open,
  onClose,
  onMade,
}: FormProps & { onMade: (webhook: AdminWebhookFragment, secret: string) => void }) {
  const [create, { loading }] = useShopMutation(CreateWebhookDocument)
  const invalidate = useInvalidate()
  return (
    <WebhookDialog
      open={open}
      onClose={onClose}
      title="Add a webhook"
      confirm="Add webhook"
      loading={loading}
      values={{ url: '', description: '', events: [], skus: '', tags: '' }}
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
  webhook: { id, url, description, events, skus, tags },
  open,
  onClose,
}: FormProps & { webhook: AdminWebhookFragment }) {
  const [update, { loading }] = useShopMutation(UpdateWebhookDocument)
  const invalidate = useInvalidate()
  return (
    <WebhookDialog
      open={open}
      onClose={onClose}
      title="Edit webhook"
      confirm="Save"
      loading={loading}
      values={{ url, description, events, skus: skus.join(', '), tags: tags.join(', ') }}
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
  loading: boolean
  values: Typed
  save: (values: Values, onRefused: OnRefused) => Promise<void>
}

function WebhookDialog({ open, onClose, title, confirm, loading, ...rest }: WebhookDialogProps) {
  return (
    <FormDialog alert open={open} onClose={onClose} title={title} action={confirm} loading={loading}>
      {id => <Fields id={id} {...rest} />}
    </FormDialog>
  )
}

function Fields({ id, values, save }: { id: string } & Pick<WebhookDialogProps, 'values' | 'save'>) {
  const form = useForm<Typed, unknown, Values>({ defaultValues: values, resolver: zodResolver(shape) })
  const { errors, isDirty, isSubmitting } = form.formState
  useUnsavedWork(isDirty)

  async function submit(input: Values) {
    if (isSubmitting) return
    await save(input, ({ userErrors }) => showRefusals(form, userErrors))
  }

  return (
    <Stack as="form" id={id} noValidate onSubmit={form.handleSubmit(submit)}>
      <TextField
        {...form.register('url')}
        label="Address"
        required
        type="url"
        hint="Where the partner listens. It starts with https:// and is reached from the internet."
        maxLength={ownerLimits.webhookUrl}
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
        render={({ field: { value, onChange } }) => (
          <ChoiceList
            legend="What it hears of"
            choices={events.map(event => ({
              value: event,
              label: eventWords[event],
              group: eventGroup(event),
              code: wireType(event),
              detail: eventMeaning[event],
            }))}
            chosen={value}
            onChange={onChange}
            error={errors.events?.message}
          />
        )}
      />
      <TextField
        {...form.register('skus')}
        label="Only these products"
        optional
        hint="SKUs, separated by commas. It then hears only of them, of orders that have one, and of their reviews."
        autoComplete="off"
        error={problemOfList(errors.skus)}
      />
      <TextField
        {...form.register('tags')}
        label="Only with these tags"
        optional
        hint="Separated by commas. It then hears only of orders, products and customers that have one."
        autoComplete="off"
        error={problemOfList(errors.tags)}
      />
    </Stack>
  )
}
