import { styled } from 'styled-components'
import { slugOf } from '#schema/rules/slug'
import { asSignedIn } from '../account/as-signed-in.ts'
import { fetchFile } from '../data/download.ts'
import { DownloadButton } from '../data/DownloadButton.tsx'
import { orderTokenOf } from '../order/order-tokens.ts'
import { color, size, space } from '../theme/tokens.ts'
import { fileSize } from '../ui/file-size.ts'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import type { DownloadFragment } from './Download.gql.ts'

interface BoughtDownloadsProps {
  orderId: string
  lines: readonly { productId: string; name: string; downloads: readonly DownloadFragment[] }[]
}

/** What comes with the products of a paid order. */
export function BoughtDownloads({ orderId, lines }: BoughtDownloadsProps) {
  if (lines.every(({ downloads }) => downloads.length === 0)) return null
  return (
    <section aria-labelledby="downloads" data-print="hide">
      <h2 id="downloads">Downloads</h2>
      <List>
        {lines.flatMap(({ productId, name, downloads }) =>
          downloads.map(download => (
            <li key={productId + download.id}>
              <div>
                <p>{download.title}</p>
                <small>
                  PDF, {fileSize(download.bytes)}
                  {download.title !== name && `, comes with ${name}`}
                </small>
              </div>
              <DownloadButton load={() => load(orderId, download)}>
                Download<VisuallyHidden> {download.title}</VisuallyHidden>
              </DownloadButton>
            </li>
          )),
        )}
      </List>
    </section>
  )
}

async function load(orderId: string, { id, title }: DownloadFragment) {
  const address = `/api/orders/${encodeURIComponent(orderId)}/downloads/${encodeURIComponent(id)}`
  const content = await asSignedIn(token => fetchFile(address, token, orderTokenOf(orderId)))
  return new File([content], `${slugOf(title) || 'pattern'}.pdf`, { type: 'application/pdf' })
}

const List = styled.ul`
  padding: 0;
  list-style: none;
  li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: ${space[2]} ${space[4]};
    padding-block: ${space[3]};
    border-bottom: 1px solid ${color.line};
  }
  li:first-child {
    border-top: 1px solid ${color.line};
  }
  li > div {
    flex: 1 1 12rem;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  small {
    font-size: ${size.sm};
    color: ${color.textQuiet};
  }
`
