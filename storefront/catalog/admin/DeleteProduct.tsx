import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { notify } from '../../ui/toast.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DeleteProductDocument } from './Products.gql.ts'

interface DeleteProductProps {
  product: { id: string; name: string } | null
  onClose: () => void
  onDeleted?: () => void
}

export function DeleteProduct({ product, onClose, onDeleted }: DeleteProductProps) {
  const [remove, { loading }] = useShopMutation(DeleteProductDocument)
  const invalidate = useInvalidate()

  async function confirm() {
    if (!product) return
    const payload = await remove({ id: product.id })
    onClose()
    if (!payload) return
    invalidate('productStats', 'categories', 'auditLog')
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
