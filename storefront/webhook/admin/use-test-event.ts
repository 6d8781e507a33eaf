import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { paths } from '../../paths.ts'
import { notify } from '../../ui/toast.ts'
import { type AdminDeliveryFragment, SendTestEventDocument } from './Webhooks.gql.ts'

/** Sends a test event, opens it in the log, and reports the outcome as soon as it is known. */
export function useTestEvent(webhookId: string, deliveries: readonly AdminDeliveryFragment[]) {
  const navigate = useNavigate()
  const [sendTest, { loading }] = useShopMutation(SendTestEventDocument)
  const [sent, setSent] = useState<string | null>(null)
  const announced = useRef<string | null>(null)
  const outcome = deliveries.find(({ id }) => id === sent)?.attempts[0]

  useEffect(() => {
    if (!outcome || announced.current === sent) return
    announced.current = sent
    if (outcome.error) notify.error(`The test event failed. ${outcome.error}`)
    else notify.success(`The test event arrived: ${outcome.status} after ${outcome.durationMs} ms.`)
  }, [outcome, sent])

  async function send() {
    const payload = await sendTest({ webhookId })
    if (!payload?.delivery) return
    setSent(payload.delivery.id)
    void navigate(paths.adminWebhook(webhookId, payload.delivery.id), { replace: true, preventScrollReset: true })
  }

  return { sending: loading, send }
}
