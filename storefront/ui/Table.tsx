import type { ComponentProps, ReactNode } from 'react'
import { css, styled } from 'styled-components'
import { depth } from '../theme/z-index.ts'
import { below, color, size, space, weight } from '../theme/tokens.ts'
import { visuallyHidden } from './VisuallyHidden.tsx'

const Frame = styled.div`
  overflow-x: auto;
`
// On phones every row becomes a card: cells under each other, each after its column's name (`label`).
const Native = styled.table`
  width: 100%;
  font-size: ${size.sm};
  line-height: 1.4;
  caption {
    ${visuallyHidden}
  }
  th,
  td {
    padding: ${space[2]} ${space[3]};
    text-align: left;
    vertical-align: middle;
  }
  th:first-child,
  td:first-child {
    padding-left: 0;
  }
  th:last-child,
  td:last-child {
    padding-right: 0;
  }
  thead th {
    position: sticky;
    top: 0;
    z-index: ${depth.stickyHead};
    background: ${color.ground};
    border-bottom: 1px solid ${color.lineStrong};
    font-weight: ${weight.strong};
    white-space: nowrap;
  }
  tbody tr {
    border-bottom: 1px solid ${color.line};
  }
  ${below.tablet} {
    thead {
      ${visuallyHidden}
    }
    tbody,
    tr,
    td {
      display: block;
    }
    tbody tr {
      padding-block: ${space[3]};
    }
    td,
    td:first-child,
    td:last-child {
      display: flex;
      justify-content: space-between;
      align-items: center;
      gap: ${space[4]};
      padding: ${space[1]} 0;
      text-align: right;
    }
    td[data-label]::before {
      content: attr(data-label);
      color: ${color.textQuiet};
      text-align: left;
    }
  }
`
const numeric = css`
  &&& {
    text-align: right;
  }
  font-variant-numeric: lining-nums tabular-nums;
  white-space: nowrap;
`
const NativeTh = styled.th<{ $numeric?: boolean }>`
  ${({ $numeric }) => $numeric && numeric}
`
const NativeTd = styled.td<{ $numeric?: boolean }>`
  ${({ $numeric }) => $numeric && numeric}
`

/** A table with a caption for screen readers; put `thead` and `tbody` inside, with Th and Td. */
export function Table({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <Frame>
      {/* The explicit roles survive the display: block of the phone layout. */}
      <Native role="table">
        <caption>{caption}</caption>
        {children}
      </Native>
    </Frame>
  )
}

export function Th({ numeric: right, ...rest }: ComponentProps<'th'> & { numeric?: boolean }) {
  return <NativeTh scope="col" {...rest} $numeric={right} />
}

/** `label` is the column's name, shown before the value on phones. `numeric` aligns right. */
export function Td({ label, numeric: right, ...rest }: ComponentProps<'td'> & { label?: string; numeric?: boolean }) {
  return <NativeTd role="cell" data-label={label} {...rest} $numeric={right} />
}
