import { useMutation, useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { styled } from 'styled-components'
import { attempt } from '../../data/attempt.ts'
import { History } from '../../audit/admin/History.tsx'
import { useStale } from '../../admin/use-invalidate.ts'
import { space } from '../../theme/tokens.ts'
import { notify } from '../../ui/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { RefundPanel } from './RefundPanel.tsx'
import { OrderForAdminDocument, ResolveAttentionDocument } from './OrderAdminPanel.gql.ts'

/** What an administrator sees on an order's page besides the order: what needs attention, refunds, the history. */
export default function OrderAdminPanel({ orderId }: { orderId: string }) {
  const [page, setPage] = useState(1)
  const { data, previousData, error, refetch } = useQuery(OrderForAdminDocument, { variables: { id: orderId, page } })
  const order = (data ?? previousData)?.order
  return (
    <Place data-print="hide">
      {order?.attention && <Attention orderId={orderId} attention={order.attention} />}
      <RefundPanel orderId={orderId} />
      <History history={order?.history} error={error} onRetry={() => void refetch()} onPage={setPage} />
    </Place>
  )
}

function Attention({ orderId, attention }: { orderId: string; attention: string }) {
  const [asking, setAsking] = useState(false)
  const [resolve, { loading }] = useMutation(ResolveAttentionDocument)
  const stale = useStale()

  async function settle() {
    const payload = await attempt(async () => (await resolve({ variables: { orderId } })).data?.resolveAttention)
    setAsking(false)
    if (!payload) return
    stale('orderCounts', 'auditLog')
    notify.success('Order resolved successfully.')
  }

  return (
    <>
      <Notice variant="danger" action={<Button size="sm" variant="quiet" onClick={() => setAsking(true)}>Mark as resolved</Button>}>
        <strong>Needs attention.</strong> {attention}
      </Notice>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Is this settled?"
        message={<>The order will no longer be listed under “Needs attention”. The history keeps what it said: {attention}</>}
        confirmLabel="Mark as resolved"
        variant="primary"
        loading={loading}
        onConfirm={() => void settle()}
      />
    </>
  )
}

const Place = styled.section.attrs({ 'aria-label': 'For administrators' })`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[5]};
`
