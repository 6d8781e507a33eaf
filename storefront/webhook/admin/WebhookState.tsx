import { Badge } from '../../ui/Badge.tsx'
import type { AdminWebhookFragment } from './Webhooks.gql.ts'

/** Colour for those only that somebody has to look at. */
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

/** The last thing heard of it was a failure. */
function isFailing({ lastSuccessAt, lastFailureAt }: AdminWebhookFragment): boolean {
  return Boolean(lastFailureAt && (!lastSuccessAt || Date.parse(lastSuccessAt) < Date.parse(lastFailureAt)))
}
