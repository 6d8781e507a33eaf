import { useMemo, useState } from 'react'
import { orderCan } from '#schema/rules/order-status'
import { may } from '../../account/may.ts'
import { useSession } from '../../account/session.ts'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { PackingSlips } from '../../fulfilment/admin/PackingSlips.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { SelectionBar } from '../../ui/SelectionBar.tsx'
import { notify } from '../../ui/toast.ts'
import { type AdminOrderFragment, DeliverOrdersDocument } from './Orders.gql.ts'

interface SelectedOrdersProps {
  selected: ReadonlyMap<string, AdminOrderFragment>
  onDone: () => void
}

/** What can be done with the selected orders: their packing slips, and marking as delivered those that can be. */
export function SelectedOrders({ selected, onDone }: SelectedOrdersProps) {
  const session = useSession()
  const [asking, setAsking] = useState(false)
  const [deliver, { loading }] = useShopMutation(DeliverOrdersDocument)
  const invalidate = useInvalidate()
  const due = useMemo(() => [...selected.values()].filter(order => orderCan.deliver(order)), [selected])
  const others = selected.size - due.length
  const onlyDue = due.length === 1 ? due[0] : undefined

  async function markDelivered() {
    const payload = await deliver({ ids: due.map(order => order.id) })
    setAsking(false)
    if (!payload) return
    invalidate('orderStats', 'orderCounts', 'auditLog')
    notify.success(
      payload.changed === 1 ? 'Order delivered successfully.' : `${payload.changed} orders delivered successfully.`,
    )
    onDone()
  }

  return (
    <>
      <SelectionBar count={selected.size} noun="order" onClear={onDone}>
        <PackingSlips orders={[...selected.values()]} />
        {may(session, 'FULFIL_ORDERS') && (
          <Button
            size="sm"
            onClick={() => setAsking(true)}
            disabledReason={
              due.length === 0 ? 'None of the selected orders is paid and waiting to be delivered.' : null
            }
          >
            Mark delivered
          </Button>
        )}
      </SelectionBar>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Mark as delivered?"
        message={
          <>
            {onlyDue
              ? `Order ${onlyDue.reference} will be marked as delivered.`
              : `${due.length} orders will be marked as delivered.`}
            {others > 0 &&
              ` ${others === 1 ? 'One selected order is' : `${others} selected orders are`} unpaid or delivered already and will stay as ${others === 1 ? 'it is' : 'they are'}.`}
          </>
        }
        confirmLabel="Mark delivered"
        variant="primary"
        loading={loading}
        onConfirm={() => void markDelivered()}
      />
    </>
  )
}
