import { useState } from 'react'
import { styled } from 'styled-components'
import { type OnRefused, useShopMutation } from '../data/use-shop-mutation.ts'
import { paths } from '../paths.ts'
import { color, space } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { DeleteAccountDocument, ExportAccountDocument } from './OwnDataSection.gql.ts'
import { type Proof, ProofDialog } from './ProofDialog.tsx'
import { useSignedIn } from './session.ts'

/** Lets people download what the shop knows about them, and delete their account. */
export default function OwnDataSection() {
  const [asks, setAsks] = useState<'copy' | 'deletion' | null>(null)
  const close = (open: boolean) => !open && setAsks(null)
  return (
    <Section aria-labelledby="own-data">
      <h2 id="own-data">Your data</h2>
      <p>A file with all that we know of you: orders, addresses, reviews, stash and the rest.</p>
      <Button variant="quiet" onClick={() => setAsks('copy')}>
        Get a copy
      </Button>
      <p>Or leave for good. Nobody can bring the account back, nor can we.</p>
      <Button variant="danger" onClick={() => setAsks('deletion')}>
        Delete my account
      </Button>
      {/* Unmounted when closed, so that they forget what was typed. */}
      {asks === 'copy' && <CopyDialog onOpenChange={close} />}
      {asks === 'deletion' && <DeletionDialog onOpenChange={close} />}
    </Section>
  )
}

interface StepProps {
  onOpenChange: (open: boolean) => void
}

function CopyDialog({ onOpenChange }: StepProps) {
  const [exportAccount] = useShopMutation(ExportAccountDocument)
  const [path, setPath] = useState<string | null>(null)

  async function send(proof: Proof, onRefused: OnRefused) {
    const payload = await exportAccount({ proof }, { onRefused })
    if (payload?.path) setPath(payload.path)
  }

  return path === null ? (
    <ProofDialog
      title="A copy of your data"
      description="So that nobody else gets it, please show that it is you."
      action="Make the copy"
      send={send}
      onOpenChange={onOpenChange}
    />
  ) : (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title="Your copy is ready"
      description="The link is good for an hour. Whoever has it can read the file, so keep it to yourself."
      actions={
        <LinkButton href={path} download>
          Download
        </LinkButton>
      }
    />
  )
}

function DeletionDialog({ onOpenChange }: StepProps) {
  const { email } = useSignedIn()
  const [deleteAccount] = useShopMutation(DeleteAccountDocument)
  const [isDone, setIsDone] = useState(false)
  // A full page load also clears what is in memory.
  const leave = () => location.assign(paths.home())

  async function send(proof: Proof, onRefused: OnRefused) {
    if (!(await deleteAccount({ proof }, { onRefused }))) return
    localStorage.clear()
    sessionStorage.clear()
    setIsDone(true)
  }

  return isDone ? (
    <Dialog
      open
      alert
      onOpenChange={leave}
      title="Your account is deleted"
      description={`An email to ${email} says so, too. Thank you for knitting with us.`}
      actions={<Button onClick={leave}>Back to the shop</Button>}
    />
  ) : (
    <ProofDialog
      title="Delete your account?"
      description="This cannot be undone."
      action="Delete my account"
      danger
      send={send}
      onOpenChange={onOpenChange}
    >
      <ul>
        <li>Your addresses, stash, notices and the newsletter are forgotten, and API keys end.</li>
        <li>Unpaid orders are cancelled. What is paid has to have left first.</li>
        <li>Your reviews stay without your name and pictures.</li>
        <li>Our books keep what was sold; who it went to stays on the invoice alone, for as long as the law asks.</li>
      </ul>
    </ProofDialog>
  )
}

const Section = styled.section`
  display: grid;
  justify-items: start;
  gap: ${space[4]};
  padding-top: ${space[5]};
  border-top: 1px solid ${color.line};
`
