import { useState } from 'react'
import { currentSession } from '../account/session.ts'
import { saveFile } from '../data/download.ts'
import { FALLBACK_MESSAGE, messageOf } from '../data/errors.ts'
import { notify } from '../ui/toast.ts'
import { Button } from '../ui/Button.tsx'
import { DownloadIcon } from '../ui/icons.tsx'

/** The invoice as a PDF, made by the server. */
export function DownloadInvoice({ orderId, reference }: { orderId: string; reference: string }) {
  const [loading, setLoading] = useState(false)

  async function download() {
    setLoading(true)
    try {
      const response = await fetch(`/api/orders/${encodeURIComponent(orderId)}/invoice.pdf`, {
        headers: { authorization: `Bearer ${currentSession()?.token ?? ''}` },
      })
      if (!response.ok) {
        const body = (await response.json().catch(() => null)) as { message?: string } | null
        throw new Error(body?.message ?? FALLBACK_MESSAGE)
      }
      saveFile(await response.blob(), `invoice-${reference.replaceAll(/[^\w-]/g, '')}.pdf`)
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
