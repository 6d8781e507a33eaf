import { styled } from 'styled-components'
import { color, size, space } from '../theme/tokens.ts'
import { fileSize } from '../ui/file-size.ts'
import { DownloadIcon } from '../ui/page-icons.tsx'
import type { ComesWithFragment } from './ComesWith.gql.ts'

/** What a product brings to download, before anybody has bought it. */
export function ComesWith({ product: { downloads } }: { product: ComesWithFragment }) {
  if (downloads.length === 0) return null
  return (
    <List aria-label="To download once it is paid">
      {downloads.map(({ id, title, bytes }) => (
        <li key={id}>
          <DownloadIcon size={18} />
          <span>
            {title} <small>PDF, {fileSize(bytes)}, to download once it is paid</small>
          </span>
        </li>
      ))}
    </List>
  )
}

const List = styled.ul`
  display: grid;
  gap: ${space[2]};
  padding: 0;
  list-style: none;
  font-size: ${size.sm};
  li {
    display: flex;
    gap: ${space[2]};
    overflow-wrap: anywhere;
  }
  svg {
    flex: none;
    color: ${color.textQuiet};
  }
  small {
    display: block;
    font-size: inherit;
    color: ${color.textQuiet};
  }
`
