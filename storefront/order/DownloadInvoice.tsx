import { useState } from 'react'
import { asSignedIn } from '../account/as-signed-in.ts'
import { fetchFile, saveFile } from '../data/download.ts'
import { messageOf } from '../data/errors.ts'
import { notify } from '../ui/toast.ts'
import { Button } from '../ui/Button.tsx'
import { DownloadIcon } from '../ui/page-icons.tsx'
import { orderTokenOf } from './order-tokens.ts'

/** The invoice as a PDF, made by the server. */
export function DownloadInvoice({ orderId, reference }: { orderId: string; reference: string }) {
  const [loading, setLoading] = useState(false)

  async function download() {
    setLoading(true)
    try {
      const invoice = await asSignedIn(token =>
        fetchFile(`/api/orders/${encodeURIComponent(orderId)}/invoice.pdf`, token, orderTokenOf(orderId)),
      )
      saveFile(invoice, `invoice-${reference.replaceAll(/[^\w-]/g, '')}.pdf`)
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
    >
      Download PDF
    </Button>
  )
}
