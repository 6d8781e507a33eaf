import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { ownerLimits } from '#schema/rules/owner-limits'
import { typedSeriesCodes } from '#schema/rules/shapes/discount'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { showRefusals } from '../../data/forms.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { type AdminCodeFragment, CreateSeriesCodesDocument } from './Codes.gql.ts'

/** Makes codes of a series and shows them, to be handed out. */
export function SeriesDialog({ series, onClose }: { series: AdminCodeFragment | null; onClose: () => void }) {
  const id = useId()
  const [make, { loading }] = useShopMutation(CreateSeriesCodesDocument)
  const invalidate = useInvalidate()
  const form = useForm({ defaultValues: { count: '10' }, resolver: zodResolver(typedSeriesCodes) })
  const [codes, setCodes] = useState<readonly string[]>([])

  async function submit({ count }: z.output<typeof typedSeriesCodes>) {
    if (!series || loading) return
    const payload = await make(
      { id: series.id, count },
      { onRefused: ({ userErrors }) => showRefusals(form, userErrors) },
    )
    if (!payload) return
    invalidate('auditLog')
    setCodes(payload.codes)
  }
  function close() {
    setCodes([])
    form.reset()
    onClose()
  }

  return (
    <Dialog
      open={series !== null}
      onOpenChange={open => !open && close()}
      title={`Codes of ${series?.code ?? ''}`}
      description="Each is good for one order."
      actions={
        codes.length > 0 ? (
          <Button onClick={close}>Done</Button>
        ) : (
          <Button type="submit" form={id} loading={loading}>
            Make codes
          </Button>
        )
      }
    >
      <Stack as="form" id={id} noValidate onSubmit={form.handleSubmit(submit)}>
        {codes.length > 0 ? (
          <TextArea label="New codes" readOnly rows={8} value={codes.join('\n')} />
        ) : (
          <TextField
            {...form.register('count')}
            label="How many"
            type="number"
            inputMode="numeric"
            min={1}
            max={ownerLimits.seriesCodes}
            error={form.formState.errors.count?.message}
          />
        )}
      </Stack>
    </Dialog>
  )
}
