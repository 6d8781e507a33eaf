import { orderCan, type Standing } from '#schema/rules/order-status'
import { MOST_SLIPS } from '#schema/rules/packing'
import { asSignedIn } from '../../account/as-signed-in.ts'
import { fetchFile } from '../../data/download.ts'
import { DownloadButton } from '../../data/DownloadButton.tsx'

/** The packing slips of orders as one PDF, made by the server: what is left to put into a parcel, a page for each order. */
export function PackingSlips({ orders }: { orders: readonly (Standing & { id: string; reference: string })[] }) {
  const open = orders.filter(order => orderCan.send(order))
  const [only] = open

  async function load() {
    const address = `/api/orders/packing-slips.pdf?ids=${open.map(({ id }) => id).join()}`
    const slips = await asSignedIn(token => fetchFile(address, token))
    const name = open.length === 1 && only ? `packing-slip-${only.reference.slice(1)}` : 'packing-slips'
    return new File([slips], `${name}.pdf`, { type: 'application/pdf' })
  }

  return (
    <DownloadButton
      load={load}
      disabledReason={
        open.length === 0
          ? 'None of the selected orders waits to be sent.'
          : open.length > MOST_SLIPS
            ? `Packing slips are made of up to ${MOST_SLIPS} orders at a time.`
            : null
      }
    >
      {orders.length === 1 ? 'Packing slip' : 'Packing slips'}
    </DownloadButton>
  )
}
