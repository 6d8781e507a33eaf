import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { Button } from '../../ui/Button.tsx'
import { notify } from '../../ui/toast.ts'
import { useTestEvent } from './use-test-event.ts'
import { type AdminDeliveryFragment, type AdminWebhookFragment, ResumeWebhookDocument } from './Webhooks.gql.ts'
import type { Question } from './WebhookQuestions.tsx'

/** What an administrator can do with the webhook, at once or after a question. */
export function WebhookActions({
  webhook: { id, enabled },
  deliveries,
  ask,
}: {
  webhook: AdminWebhookFragment
  deliveries: readonly AdminDeliveryFragment[]
  ask: (question: Question) => void
}) {
  const invalidate = useInvalidate()
  const [resume, resuming] = useShopMutation(ResumeWebhookDocument)
  const test = useTestEvent(id, deliveries)

  async function goOn(skipMissed: boolean) {
    if (!(await resume({ id, skipMissed }))) return
    invalidate('auditLog')
    notify.success('Webhook resumed successfully.')
  }

  return (
    <>
      <Button
        size="sm"
        loading={test.sending}
        disabledReason={enabled ? null : 'It is paused.'}
        onClick={() => void test.send()}
      >
        Send a test event
      </Button>
      <Button size="sm" variant="quiet" onClick={() => ask('edit')}>
        Edit
      </Button>
      {enabled ? (
        <Button size="sm" variant="quiet" onClick={() => ask('pause')}>
          Pause …
        </Button>
      ) : (
        <>
          <Button size="sm" variant="quiet" loading={resuming.loading} onClick={() => void goOn(false)}>
            Resume
          </Button>
          <Button size="sm" variant="quiet" disabled={resuming.loading} onClick={() => void goOn(true)}>
            Resume from now
          </Button>
        </>
      )}
      <Button size="sm" variant="danger" onClick={() => ask('delete')}>
        Delete …
      </Button>
    </>
  )
}
