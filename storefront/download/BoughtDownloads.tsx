import { styled } from 'styled-components'
import { color, space } from '../theme/tokens.ts'
import type { DownloadFragment } from './Download.gql.ts'
import { DownloadLine } from './DownloadLine.tsx'

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
            <DownloadLine key={productId + download.id} orderId={orderId} download={download} comesWith={name} />
          )),
        )}
      </List>
    </section>
  )
}

const List = styled.ul`
  padding: 0;
  list-style: none;
  > li {
    padding-block: ${space[3]};
    border-bottom: 1px solid ${color.line};
  }
  > li:first-child {
    border-top: 1px solid ${color.line};
  }
`
