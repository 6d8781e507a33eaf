import { useState } from 'react'
import { limits } from '#schema/rules/limits'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { type AdminCodeFragment, CreateSeriesCodesDocument } from './Codes.gql.ts'

/** Makes codes of a series and shows them, to be handed out. */
export function SeriesDialog({ series, onClose }: { series: AdminCodeFragment | null; onClose: () => void }) {
  const [make, { loading }] = useShopMutation(CreateSeriesCodesDocument)
  const invalidate = useInvalidate()
  const [count, setCount] = useState('10')
  const [codes, setCodes] = useState<readonly string[]>([])

  async function press() {
    if (!series) return
    const payload = await make({ id: series.id, count: Math.trunc(Number(count)) || 0 })
    if (!payload) return
    invalidate('auditLog')
    setCodes(payload.codes)
  }
  function close() {
    setCodes([])
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
          <Button loading={loading} onClick={() => void press()}>
            Make codes
          </Button>
        )
      }
    >
      <Stack>
        {codes.length > 0 ? (
          <TextArea label="New codes" readOnly rows={8} value={codes.join('\n')} />
        ) : (
          <TextField
            label="How many"
            type="number"
            inputMode="numeric"
            min={1}
            max={limits.seriesCodes}
            value={count}
            onChange={event => setCount(event.target.value)}
          />
        )}
      </Stack>
    </Dialog>
  )
}
