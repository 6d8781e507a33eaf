import type { Dispatch, SetStateAction } from 'react'
import { useNavigate } from 'react-router-dom'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { paths } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { notify } from '../../ui/toast.ts'
import {
  type AdminWebhookFragment,
  DeleteWebhookDocument,
  RotateWebhookSecretDocument,
  UpdateWebhookDocument,
} from './Webhooks.gql.ts'

/** What is asked before a webhook is changed. */
export type Question = 'edit' | 'pause' | 'rotate' | 'delete'

export function WebhookQuestions({
  webhook: { id, url },
  question,
  ask,
  onSecret,
}: {
  webhook: AdminWebhookFragment
  question: Question | null
  ask: Dispatch<SetStateAction<Question | null>>
  onSecret: (secret: string) => void
}) {
  const navigate = useNavigate()
  const invalidate = useInvalidate()
  const [update, updating] = useShopMutation(UpdateWebhookDocument)
  const [rotate, rotating] = useShopMutation(RotateWebhookSecretDocument)
  const [remove, removing] = useShopMutation(DeleteWebhookDocument)
  const close = () => ask(null)

  async function pause() {
    const payload = await update({ id, input: { enabled: false } })
    // If another question has been opened meanwhile, it stays open.
    ask(open => (open === 'pause' ? null : open))
    if (!payload) return
    invalidate('auditLog')
    notify.success('Webhook paused successfully.')
  }

  async function newSecret() {
    const payload = await rotate({ id })
    close()
    if (!payload?.secret) return
    invalidate('auditLog')
    onSecret(payload.secret)
  }

  async function deleteForGood() {
    const payload = await remove({ id })
    close()
    if (!payload) return
    invalidate('auditLog')
    notify.success('Webhook deleted successfully.')
    void navigate(paths.adminWebhooks(), { replace: true })
  }

  return (
    <>
      <ConfirmDialog
        open={question === 'pause'}
        onOpenChange={close}
        title="Pause this webhook?"
        message={
          <>
            Nothing is sent to {url} until you let it go on. Then it gets what it missed, or only what happens from then
            on, as you like.
          </>
        }
        confirmLabel="Pause webhook"
        loading={updating.loading}
        onConfirm={() => void pause()}
      />
      <ConfirmDialog
        open={question === 'rotate'}
        onOpenChange={close}
        title="Make a new signing secret?"
        message="For 24 hours requests are signed with the old one, too, so that the partner can change over at leisure."
        confirmLabel="Make a new secret"
        variant="primary"
        loading={rotating.loading}
        onConfirm={() => void newSecret()}
      />
      <ConfirmDialog
        open={question === 'delete'}
        onOpenChange={close}
        title="Delete this webhook?"
        message={
          <>
            Nothing is sent to {url} any more, and the log of its deliveries is deleted with it. This action cannot be
            undone.
          </>
        }
        confirmLabel="Delete webhook"
        loading={removing.loading}
        onConfirm={() => void deleteForGood()}
      />
    </>
  )
}
