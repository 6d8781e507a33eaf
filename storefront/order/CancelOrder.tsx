import { useState } from 'react'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { notify } from '../ui/toast.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { CancelOrderDocument } from './OrderPage.gql.ts'

interface CancelOrderProps {
  id: string
  reference: string
  /** The order is cancelled, and the button is gone with whatever had the focus. */
  onCancelled: () => void
}

/** Lets a shopper end an unpaid order of their own. */
export function CancelOrder({ id, reference, onCancelled }: CancelOrderProps) {
  const [asking, setAsking] = useState(false)
  const [cancel, { loading }] = useShopMutation(CancelOrderDocument)

  async function press() {
    const payload = await cancel({ id })
    setAsking(false)
    if (!payload) return
    notify.success('Order cancelled.')
    onCancelled()
  }

  return (
    <>
      <Button variant="quiet" size="sm" onClick={() => setAsking(true)}>
        Cancel order
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Cancel this order?"
        message={`Nothing is charged, and the yarn of order ${reference} goes back on the shelf. You can order it again as long as it is in stock.`}
        confirmLabel="Cancel order"
        cancelLabel="Keep order"
        loading={loading}
        onConfirm={() => void press()}
      />
    </>
  )
}
