import { useMutation } from '@apollo/client/react'
import { attempt } from '../../data/attempt.ts'
import { useStale } from '../../admin/use-invalidate.ts'
import { notify } from '../../ui/toast.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DeleteProductDocument } from './Products.gql.ts'

interface DeleteProductProps {
  product: { id: string; name: string } | null
  onClose: () => void
  onDeleted?: () => void
}

export function DeleteProduct({ product, onClose, onDeleted }: DeleteProductProps) {
  const [remove, { loading }] = useMutation(DeleteProductDocument)
  const stale = useStale()

  async function confirm() {
    const payload = await attempt(async () => (await remove({ variables: { id: product!.id } })).data?.deleteProduct)
    onClose()
    if (!payload) return
    stale('productStats', 'categories', 'auditLog')
    notify.success('Product deleted successfully.')
    onDeleted?.()
  }

  return (
    <ConfirmDialog
      open={product !== null}
      onOpenChange={open => !open && onClose()}
      title={`Delete ${product?.name ?? 'product'}?`}
      message="Are you sure you want to delete this item? This action cannot be undone."
      confirmLabel="Delete"
      loading={loading}
      onConfirm={() => void confirm()}
    />
  )
}
