import { useApolloClient } from '@apollo/client/react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { saveFile } from '../../data/download.ts'
import { FALLBACK_MESSAGE, messageOf } from '../../data/errors.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import type { AdminProductFilter } from '../../generated/types.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DownloadIcon, PlusIcon } from '../../ui/page-icons.tsx'
import { notify } from '../../ui/toast.ts'
import { CreateProductDocument, ExportProductsDocument } from './Products.gql.ts'

/** Makes a draft and opens it. */
export function AddProduct() {
  const [asking, setAsking] = useState(false)
  const [create, { loading }] = useShopMutation(CreateProductDocument)
  const navigate = useNavigate()
  const invalidate = useInvalidate()

  async function confirm() {
    const payload = await create({})
    setAsking(false)
    if (!payload?.product) return
    invalidate('productStats', 'categories', 'auditLog')
    void navigate(paths.adminProduct(payload.product.id))
  }

  return (
    <>
      <Button size="sm" icon={<PlusIcon size={18} />} onClick={() => setAsking(true)}>
        Add Product
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Add a product?"
        message="This makes a draft with placeholder text and opens it for you to fill in. Shoppers do not see it until you save it."
        confirmLabel="Add Product"
        variant="primary"
        loading={loading}
        onConfirm={() => void confirm()}
      />
    </>
  )
}

/** What is listed, as a spreadsheet. */
export function ExportButton({ filter, total }: { filter: AdminProductFilter; total: number | undefined }) {
  const client = useApolloClient()
  const [loading, setLoading] = useState(false)

  async function download() {
    setLoading(true)
    try {
      const { data } = await client.query({
        query: ExportProductsDocument,
        variables: { filter },
        fetchPolicy: 'no-cache',
      })
      if (!data) throw new Error(FALLBACK_MESSAGE)
      saveFile(
        new Blob([data.exportProducts], { type: 'text/csv' }),
        `products-${new Date().toISOString().slice(0, 10)}.csv`,
      )
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setLoading(false)
    }
  }

  return (
    <Button
      variant="quiet"
      size="sm"
      loading={loading}
      icon={<DownloadIcon size={18} />}
      onClick={() => void download()}
      title={
        total === undefined
          ? undefined
          : `${total.toLocaleString('en-US')} ${total === 1 ? 'product' : 'products'}, as filtered below`
      }
    >
      Export CSV
    </Button>
  )
}
