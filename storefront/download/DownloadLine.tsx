import { styled } from 'styled-components'
import { DownloadButton } from '../data/DownloadButton.tsx'
import { orderTokenOf } from '../order/order-tokens.ts'
import { color, size, space } from '../theme/tokens.ts'
import { fileSize } from '../ui/file-size.ts'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import type { DownloadFragment } from './Download.gql.ts'
import { fetchDownload } from './fetch-download.ts'

interface DownloadLineProps {
  orderId: string
  download: DownloadFragment
  /** The product it comes with, where that is not said beside it. */
  comesWith?: string
}

/** A file that is paid for, and the button that fetches it. */
export function DownloadLine({ orderId, download, comesWith }: DownloadLineProps) {
  const { title, bytes } = download
  return (
    <Line>
      <div>
        <p>{title}</p>
        <small>
          PDF, {fileSize(bytes)}
          {comesWith !== undefined && title !== comesWith && `, comes with ${comesWith}`}
        </small>
      </div>
      <DownloadButton
        load={() => fetchDownload(`/api/orders/${encodeURIComponent(orderId)}`, download, orderTokenOf(orderId))}
      >
        Download<VisuallyHidden> {title}</VisuallyHidden>
      </DownloadButton>
    </Line>
  )
}

const Line = styled.li`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${space[2]} ${space[4]};
  > div {
    flex: 1 1 8rem;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  small {
    font-size: ${size.sm};
    color: ${color.textQuiet};
  }
`
