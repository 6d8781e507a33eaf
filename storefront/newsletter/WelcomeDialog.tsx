import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { type Asked, codeWords, Letter, WELCOME, WelcomeCode } from './Letter.tsx'
import { useOffer } from './offer.ts'

interface WelcomeDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  asked: Asked
}

/** Thanks whoever signed up. SPEC §4. */
export default function WelcomeDialog({ asked, onOpenChange, open }: WelcomeDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={WELCOME}
      description={codeWords(useOffer())}
      actions={<Button onClick={() => onOpenChange(false)}>Shop Now</Button>}
    >
      <WelcomeCode />
      <Letter {...asked} />
    </Dialog>
  )
}
