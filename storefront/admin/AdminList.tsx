import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { messageOf } from '../data/errors.ts'
import type { ListState } from '../data/list-state.ts'
import { below, color, from, measure, size, space } from '../theme/tokens.ts'
import { TableSkeleton } from '../ui/DataTable.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Link } from '../ui/Link.tsx'
import type { ChipLinkProps } from '../ui/FilterChips.tsx'
import { type PageLinkProps, Pagination } from '../ui/Pagination.tsx'

/** Chips, search and choices over a list. */
export const Toolbar = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space[2]} ${space[4]};
  > nav {
    margin-right: auto;
  }
  ${below.tablet} {
    > * {
      flex-basis: 100%;
      max-width: none;
    }
  }
`

/** A render prop for the links of chips and page numbers, made outside of components. */
export const linkTo =
  <Key,>(to: (key: Key) => string) =>
  (key: Key, props: ChipLinkProps | PageLinkProps) => <Link to={to(key)} preventScrollReset {...props} />

interface ListResultProps {
  /** How many there are; undefined until the list is loaded. */
  total: number | undefined
  error: unknown
  loading: boolean
  onRetry: () => void
  /** Shown in place of an empty list. */
  empty: ReactNode
  children: ReactNode
}

/** A list, or what is shown in its place: an outline, an error, or a word that it is empty. */
export function ListResult({ total, error, loading, onRetry, empty, children }: ListResultProps) {
  if (error && (total === undefined || !loading))
    return (
      <ErrorState onRetry={onRetry} retrying={loading}>
        {messageOf(error)}
      </ErrorState>
    )
  if (total === undefined) return <TableSkeleton />
  return total === 0 ? empty : children
}

interface ListFootProps {
  /** As the API served it. */
  served: { page: number; pages: number; total: number; totalIsExact: boolean }
  list: ListState
  /** What is listed: "order". */
  noun: string
  plural?: string
}

export function ListFoot({ served, list, noun, plural = `${noun}s` }: ListFootProps) {
  const { page, pages, total, totalIsExact } = served
  return (
    <Foot>
      <p>
        {!totalIsExact && 'More than '}
        {total.toLocaleString('en-US')} {total === 1 ? noun : plural}
        {pages > 1 && `, page ${page} of ${pages}`}
        {page === pages && !totalIsExact && '. Filters or another sorting bring the rest within reach.'}
      </p>
      <Pagination page={page} pages={pages} label={`Pages of ${plural}`} link={linkTo(list.toPage)} />
    </Foot>
  )
}

const Foot = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${space[2]} ${space[5]};
  p {
    font-size: ${size.sm};
    color: ${color.textQuiet};
    font-variant-numeric: tabular-nums;
  }
  ul {
    font-size: ${size.md};
  }
`

/** Main column and one beside it; `$narrow` when the main one is a short form. */
export const WithAside = styled.div<{ $narrow?: boolean }>`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[6]};
  > * {
    min-width: 0;
  }
  ${from.desktop} {
    grid-template-columns: ${({ $narrow }) => ($narrow ? `minmax(0, ${measure.narrow}) minmax(0, ${measure.narrow})` : 'minmax(0, 1fr) 22rem')};
    gap: ${space[7]};
    align-items: start;
  }
`

/** A titled part of a page. */
export const Panel = styled.section`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[3]};
  align-content: start;
  > h2,
  > header h2 {
    font-size: ${size.lg};
  }
`
