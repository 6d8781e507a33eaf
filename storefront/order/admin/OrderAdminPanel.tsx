import { useQuery } from '@apollo/client/react'
import { lazy, useRef, useState } from 'react'
import { styled } from 'styled-components'
import { orderCan } from '#schema/rules/order-status'
import { may } from '../../account/may.ts'
import { useSession } from '../../account/session.ts'
import { LeaveGuard } from '../../admin/LeaveGuard.tsx'
import { History } from '../../audit/admin/History.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { color, space } from '../../theme/tokens.ts'
import { notify } from '../../ui/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Part } from '../../ui/Part.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { formatMoment } from '../../ui/dates.ts'
import { LetterPanel } from './LetterPanel.tsx'
import { PaymentPanel } from './PaymentPanel.tsx'
import { RefundPanel } from './RefundPanel.tsx'
import {
  OrderForAdminDocument,
  type OrderIncidentLineFragment,
  ReleaseHoldDocument,
  ResolveIncidentDocument,
} from './OrderAdminPanel.gql.ts'

const AnnotationPanel = lazy(() => import('../../annotation/admin/AnnotationPanel.tsx'))

/** What an administrator sees on an order's page besides the order: what needs attention, refunds, notes, the history. */
export default function OrderAdminPanel({ orderId }: { orderId: string }) {
  const session = useSession()
  const [page, setPage] = useState(1)
  const [unsaved, setUnsaved] = useState(false)
  const { data, previousData, error, refetch } = useQuery(OrderForAdminDocument, { variables: { id: orderId, page } })
  const order = (data ?? previousData)?.order
  const place = useRef<HTMLElement>(null)
  // The button that was pressed is gone; without this the keyboard would start over at the top.
  const focus = () => place.current?.focus({ preventScroll: true })
  return (
    <Place ref={place} tabIndex={-1} data-print="hide">
      {order && order.incidents.length > 0 && <Incidents incidents={order.incidents} onResolved={focus} />}
      {order?.heldUntil && (
        <Hold orderId={orderId} reference={order.reference} heldUntil={order.heldUntil} onReleased={focus} />
      )}
      {order && orderCan.pay(order.status) && may(session, 'REFUND_ORDERS') && (
        <PaymentPanel order={order} onPaid={focus} />
      )}
      {may(session, 'REFUND_ORDERS') && <RefundPanel orderId={orderId} />}
      {order?.user.email && order.status !== 'CANCELLED' && may(session, 'WRITE_ORDERS') && (
        <LetterPanel order={order} />
      )}
      {may(session, 'FULFIL_ORDERS') && (
        <Part fallback={<Skeleton $height="12rem" />}>
          <AnnotationPanel id={orderId} onUnsaved={setUnsaved} />
        </Part>
      )}
      <LeaveGuard when={unsaved} />
      <History history={order?.history} error={error} onRetry={() => void refetch()} onPage={setPage} />
    </Place>
  )
}

/** What happened to the order, newest first: what is open with a button, what was dealt with below. */
function Incidents({
  incidents,
  onResolved,
}: {
  incidents: readonly OrderIncidentLineFragment[]
  onResolved: () => void
}) {
  const [open, resolved] = [
    incidents.filter(({ resolvedAt }) => !resolvedAt),
    incidents.filter(({ resolvedAt }) => resolvedAt),
  ]
  return (
    <IncidentList aria-label="Incidents">
      {open.map(incident => (
        <li key={incident.id}>
          <OpenIncident incident={incident} onResolved={onResolved} />
        </li>
      ))}
      {resolved.map(({ id, message, resolvedAt, resolvedBy }) => (
        <li key={id}>
          <Notice>
            {message}{' '}
            <Resolved>
              Resolved by {resolvedBy} on {resolvedAt && formatMoment(resolvedAt)}.
            </Resolved>
          </Notice>
        </li>
      ))}
    </IncidentList>
  )
}

function OpenIncident({
  incident: { id, message, at },
  onResolved,
}: {
  incident: OrderIncidentLineFragment
  onResolved: () => void
}) {
  const maySettle = may(useSession(), 'REFUND_ORDERS')
  const [asking, setAsking] = useState(false)
  const [resolve, { loading }] = useShopMutation(ResolveIncidentDocument)
  const invalidate = useInvalidate()

  async function settle() {
    const payload = await resolve({ id })
    setAsking(false)
    if (!payload) return
    invalidate('orderCounts', 'auditLog')
    notify.success('Incident resolved successfully.')
    onResolved()
  }

  return (
    <>
      <Notice
        variant="danger"
        action={
          maySettle && (
            <Button size="sm" variant="quiet" onClick={() => setAsking(true)}>
              Mark as resolved
            </Button>
          )
        }
      >
        <strong>Needs attention</strong> since {formatMoment(at)}. {message}
      </Notice>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Is this settled?"
        message={
          <>
            Once all its incidents are resolved, the order is no longer listed under “Needs attention”. The history
            keeps what this one said: {message}
          </>
        }
        confirmLabel="Mark as resolved"
        variant="primary"
        loading={loading}
        onConfirm={() => void settle()}
      />
    </>
  )
}

/** The stock an unpaid order keeps from others. */
function Hold({
  orderId,
  reference,
  heldUntil,
  onReleased,
}: {
  orderId: string
  reference: string
  heldUntil: string
  onReleased: () => void
}) {
  const maySettle = may(useSession(), 'REFUND_ORDERS')
  const [asking, setAsking] = useState(false)
  const [release, { loading }] = useShopMutation(ReleaseHoldDocument)
  const invalidate = useInvalidate()

  async function giveBack() {
    const payload = await release({ orderId })
    setAsking(false)
    if (!payload) return
    invalidate('orderCounts', 'auditLog')
    notify.success('Stock released.')
    onReleased()
  }

  return (
    <>
      <Notice
        action={
          maySettle && (
            <Button size="sm" variant="quiet" onClick={() => setAsking(true)}>
              Release hold
            </Button>
          )
        }
      >
        Holds its stock until {formatMoment(heldUntil)}.
      </Notice>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Release the stock?"
        message={`What order ${reference} holds can be bought by others at once. Its shopper can still pay as long as everything is in stock.`}
        confirmLabel="Release hold"
        loading={loading}
        onConfirm={() => void giveBack()}
      />
    </>
  )
}

const Place = styled.section.attrs({ 'aria-label': 'For administrators' })`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[5]};
`

const IncidentList = styled.ul`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[3]};
  margin: 0;
  padding: 0;
  list-style: none;
`

const Resolved = styled.span`
  color: ${color.textQuiet};
`
