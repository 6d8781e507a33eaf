import { Badge } from '../../ui/Badge.tsx'
import type { AdminWebhookFragment } from './Webhooks.gql.ts'

/** Only webhooks that need somebody's attention are coloured. */
export function WebhookState({ webhook }: { webhook: AdminWebhookFragment }) {
  if (webhook.attention)
    return (
      <Badge $variant="danger" title={webhook.attention}>
        Paused by the shop
      </Badge>
    )
  if (!webhook.enabled) return <Badge>Paused</Badge>
  return isFailing(webhook) ? <Badge $variant="warning">Failing</Badge> : <Badge>Active</Badge>
}

/** Whether its last attempt failed. */
function isFailing({ lastSuccessAt, lastFailureAt }: AdminWebhookFragment): boolean {
  return Boolean(lastFailureAt && (!lastSuccessAt || Date.parse(lastSuccessAt) < Date.parse(lastFailureAt)))
}
