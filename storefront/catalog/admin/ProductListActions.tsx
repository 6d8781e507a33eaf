import { useApolloClient } from '@apollo/client/react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { DownloadButton } from '../../data/DownloadButton.tsx'
import { FALLBACK_MESSAGE } from '../../data/errors.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import type { AdminProductFilter } from '../../generated/types.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { PlusIcon } from '../../ui/page-icons.tsx'
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

  async function load() {
    const { data } = await client.query({
      query: ExportProductsDocument,
      variables: { filter },
      fetchPolicy: 'no-cache',
    })
    if (!data) throw new Error(FALLBACK_MESSAGE)
    const name = `products-${new Date().toISOString().slice(0, 10)}.csv`
    return new File([data.exportProducts], name, { type: 'text/csv' })
  }

  return (
    <DownloadButton
      load={load}
      title={
        total === undefined
          ? undefined
          : `${total.toLocaleString('en-US')} ${total === 1 ? 'product' : 'products'}, as filtered below`
      }
    >
      Export CSV
    </DownloadButton>
  )
}
