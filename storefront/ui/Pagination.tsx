import type { ReactElement, ReactNode } from 'react'
import { styled } from 'styled-components'
import { below, color, control, font, from, motion, radius, size, space, weight } from '../theme/tokens.ts'
import { ChevronLeftIcon, ChevronRightIcon } from './page-icons.tsx'

const List = styled.ul`
  display: flex;
  flex-wrap: wrap;
  margin-left: -${space[3]};
  ${from.tablet} {
    gap: ${space[1]};
  }
  padding: 0;
  list-style: none;
  font: ${weight.regular} ${size.lg} / 1 ${font.serif};
  font-variant-numeric: lining-nums tabular-nums;
  a,
  span {
    display: grid;
    place-items: center;
    min-width: ${control.md};
    height: ${control.md};
    padding-inline: ${space[2]};
    border-radius: ${radius.md};
    text-decoration: none;
    transition: background ${motion.fast};
  }
  ${below.tablet} {
    a[rel] {
      display: none;
    }
  }
  a:hover {
    background: ${color.band};
  }
  a[aria-current='page'] {
    font-weight: ${weight.strong};
    text-decoration: underline;
    text-decoration-thickness: 2px;
    text-underline-offset: 0.35em;
  }
  span {
    color: ${color.textQuiet};
  }
`

export interface PageLinkProps {
  children: ReactNode
  'aria-label': string
  'aria-current'?: 'page'
  rel?: 'next' | 'prev'
}

interface PaginationProps {
  page: number
  pages: number
  /** What is paged, for screen readers. */
  label?: string
  /** The link to a page: `(page, props) => <Link to={…} {...props} />`. */
  link: (page: number, props: PageLinkProps) => ReactElement
}

/** Links numbered 1 to `pages`; a long row leaves out its middle. Nothing for a single page. */
export function Pagination({ page, pages, label = 'Pages', link }: PaginationProps) {
  if (pages <= 1) return null
  return (
    <nav aria-label={label}>
      <List>
        {page > 1 && (
          <li>
            {link(page - 1, { children: <ChevronLeftIcon size={18} />, 'aria-label': 'Previous page', rel: 'prev' })}
          </li>
        )}
        {numbers(page, pages).map((number, index) => (
          <li key={number ?? `gap-${index}`}>
            {number === null ? (
              <span aria-hidden="true">…</span>
            ) : (
              link(number, {
                children: number,
                'aria-label': `Page ${number}`,
                ...(number === page && { 'aria-current': 'page' }),
              })
            )}
          </li>
        ))}
        {page < pages && (
          <li>
            {link(page + 1, { children: <ChevronRightIcon size={18} />, 'aria-label': 'Next page', rel: 'next' })}
          </li>
        )}
      </List>
    </nav>
  )
}

/** All of them up to twelve; beyond that the ends and the neighbours, null where some are left out. */
function numbers(page: number, pages: number): (number | null)[] {
  if (pages <= 12) return Array.from({ length: pages }, (_, index) => index + 1)
  const shown = [1, 2, page - 1, page, page + 1, pages - 1, pages].filter(n => n >= 1 && n <= pages)
  const sorted = [...new Set(shown)].sort((a, b) => a - b)
  return sorted.flatMap((n, index) => (n - (sorted[index - 1] ?? n) > 1 ? [null, n] : [n]))
}
