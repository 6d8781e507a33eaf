import { asSignedIn } from '../account/as-signed-in.ts'
import { fetchFile } from '../data/download.ts'
import { DownloadButton } from '../data/DownloadButton.tsx'
import { orderTokenOf } from './order-tokens.ts'

/** The invoice as a PDF, made by the server. */
export function DownloadInvoice({ orderId, reference }: { orderId: string; reference: string }) {
  async function load() {
    const address = `/api/orders/${encodeURIComponent(orderId)}/invoice.pdf`
    const invoice = await asSignedIn(token => fetchFile(address, token, orderTokenOf(orderId)))
    return new File([invoice], `invoice-${reference.replaceAll(/[^\w-]/g, '')}.pdf`, { type: 'application/pdf' })
  }

  return <DownloadButton load={load}>Download PDF</DownloadButton>
}
