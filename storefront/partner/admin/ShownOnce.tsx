import { useState } from 'react'
import { styled } from 'styled-components'
import { LeaveGuard } from '../../admin/LeaveGuard.tsx'
import { space } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CopyBox } from '../../ui/CopyBox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'

interface ShownOnceProps {
  title: string
  label: string
  secret: string
  warning: string
  /** The secret in use, to be tried at once. */
  example?: { label: string; text: string }
  /** What to do after losing it. */
  otherwise: string
  onClose: () => void
}

/** A secret that is shown only once. Asks before closing if it has not been copied. */
export function ShownOnce({ title, label, secret, warning, example, otherwise, onClose }: ShownOnceProps) {
  const [copied, setCopied] = useState(false)
  const [asking, setAsking] = useState(false)
  const close = () => (copied ? onClose() : setAsking(true))
  const lost = { title: 'Close without copying it?', message: `It cannot be shown again. ${otherwise}` }
  return (
    <Dialog
      alert
      open
      onOpenChange={next => !next && close()}
      title={title}
      actions={<Button onClick={close}>Done</Button>}
    >
      <Parts>
        <Notice variant="warning">{warning}</Notice>
        <CopyBox label={label} text={secret} onCopied={() => setCopied(true)} />
        {example && <CopyBox label={example.label} text={example.text} onCopied={() => setCopied(true)} />}
      </Parts>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        {...lost}
        confirmLabel="Close anyway"
        cancelLabel="Go back"
        onConfirm={onClose}
      />
      <LeaveGuard when={!copied} {...lost} />
    </Dialog>
  )
}

const Parts = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[4]};
`
