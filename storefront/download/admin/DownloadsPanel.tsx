import { useState } from 'react'
import { styled } from 'styled-components'
import { megabytes } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { Panel } from '../../admin/AdminList.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { upload } from '../../data/upload.ts'
import { UploadList } from '../../data/UploadList.tsx'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { useUploads } from '../../data/use-uploads.ts'
import { space } from '../../theme/tokens.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { notify } from '../../ui/toast.ts'
import type { DownloadFragment } from '../Download.gql.ts'
import { DownloadRow } from './DownloadRow.tsx'
import { NothingSent, Quiet } from './NothingSent.tsx'
import { AddDownloadDocument, type ProductDownloadsFragment, RemoveDownloadDocument } from './DownloadsPanel.gql.ts'

const { perProduct, bytes } = ownerLimits.download
const MOST = megabytes(bytes)
const FULL = `A product has at most ${perProduct} downloads.`

interface DownloadsPanelProps {
  product: ProductDownloadsFragment
  /** Called with the product, which has a new version. */
  onSaved: (product: ProductDownloadsFragment) => void
}

/** PDFs that come with a product. Each change is saved at once, separately from the product. */
export default function DownloadsPanel({ product, onSaved }: DownloadsPanelProps) {
  const { id: productId, downloads } = product
  const invalidate = useInvalidate()
  const [leaving, setLeaving] = useState<DownloadFragment | null>(null)
  const [remove, { loading }] = useShopMutation(RemoveDownloadDocument)
  const saved = (after: ProductDownloadsFragment) => {
    invalidate('product', 'auditLog')
    onSaved(after)
  }
  const room = perProduct - downloads.length
  const uploads = useUploads<ProductDownloadsFragment>({
    room,
    full: FULL,
    store: async (file, options) => {
      const { product, userErrors } = (await upload(AddDownloadDocument, { productId, file }, options)).addDownload
      return { taken: product, userErrors }
    },
    onStored: after => {
      saved(after)
      notify.success('Download added successfully.')
    },
  })

  async function confirm() {
    if (!leaving) return
    const payload = await remove({ productId, id: leaving.id })
    setLeaving(null)
    if (!payload?.product) return
    saved(payload.product)
    notify.success('Download removed.')
  }

  return (
    <Panel aria-labelledby="downloads">
      <h2 id="downloads">Downloads</h2>
      <Quiet>
        PDFs that come with this product, such as its pattern. Who has paid for it finds them on the order’s page, now
        and later, also those you add afterwards.
      </Quiet>
      {downloads.length > 0 && (
        <List>
          {downloads.map((download, place) => (
            <DownloadRow
              key={download.id}
              productId={productId}
              download={download}
              place={place}
              onSaved={saved}
              onRemove={() => setLeaving(download)}
            />
          ))}
        </List>
      )}
      <UploadList sending={uploads.sending} onDismiss={uploads.dismiss} />
      <FileDrop
        multiple
        label="Drop PDFs here, or choose some"
        hint={room > 0 ? `At most ${MOST} each; room for ${room} more` : FULL}
        accept={{ 'application/pdf': ['.pdf'] }}
        maxSize={bytes}
        wrongKind="Please choose PDF files."
        tooLarge={`The file is larger than ${MOST}. Please save it as a smaller PDF, such as with fewer pictures.`}
        disabled={room <= 0}
        onFile={uploads.send}
        onRefused={uploads.refuse}
      />
      <NothingSent product={product} onSaved={saved} />
      {product.isDownload && !product.isGiftCard && downloads.length === 0 && (
        <Notice variant="danger">Who buys this product gets nothing yet: add a PDF.</Notice>
      )}
      <ConfirmDialog
        open={leaving !== null}
        onOpenChange={open => !open && setLeaving(null)}
        title={`Remove ${leaving?.title ?? ''}?`}
        message="Nobody can download it any more, not even who has bought it already. To replace it, add the new file first."
        confirmLabel="Remove"
        loading={loading}
        onConfirm={() => void confirm()}
      />
    </Panel>
  )
}

const List = styled.ul`
  display: grid;
  gap: ${space[3]};
  padding: 0;
  list-style: none;
`
