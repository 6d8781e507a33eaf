import type { ReactElement, ReactNode } from 'react'
import { styled } from 'styled-components'
import { below, color, control, motion, radius, size, space, weight } from '../theme/tokens.ts'

interface FilterChip {
  key: string
  label: string
  /** How many there are of this kind, once it is known. */
  count?: number
  /** Whether there are no more than that. */
  countIsExact?: boolean
  /** These need somebody's attention: the count is coloured while it is above zero. */
  urgent?: boolean
}

export interface ChipLinkProps {
  children: ReactNode
  'aria-current'?: 'true'
}

interface FilterChipsProps {
  /** What they choose from, for screen readers. */
  label: string
  chips: readonly FilterChip[]
  current: string
  /** The link to a filter: `(key, props) => <Link to={…} {...props} />`. */
  link: (key: string, props: ChipLinkProps) => ReactElement
}

/** One of several views of a list. */
export function FilterChips({ label, chips, current, link }: FilterChipsProps) {
  return (
    <nav aria-label={label}>
      <List>
        {chips.map(chip => (
          <li key={chip.key}>
            {link(chip.key, {
              ...(chip.key === current && { 'aria-current': 'true' as const }),
              children: (
                <>
                  {chip.label}
                  {chip.count !== undefined && (
                    <Count $urgent={chip.urgent && chip.count > 0}>
                      {' '}
                      {chip.count.toLocaleString('en-US')}
                      {chip.countIsExact === false && '+'}
                    </Count>
                  )}
                </>
              ),
            })}
          </li>
        ))}
      </List>
    </nav>
  )
}

const List = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: ${space[1]};
  padding: 0;
  list-style: none;
  a {
    display: inline-flex;
    align-items: center;
    gap: ${space[2]};
    min-height: ${control.sm};
    padding: 0 ${space[3]};
    border: 1px solid transparent;
    border-radius: ${radius.pill};
    font-size: ${size.sm};
    text-decoration: none;
    white-space: nowrap;
    transition: background ${motion.fast};
    &:hover {
      background: ${color.band};
    }
    &[aria-current] {
      border-color: ${color.lineStrong};
      background: ${color.band};
      font-weight: ${weight.strong};
    }
  }
  ${below.tablet} {
    gap: ${space[1]};
    a {
      min-height: ${control.md};
    }
  }
`
const Count = styled.span<{ $urgent?: boolean }>`
  font-size: ${size.xs};
  font-variant-numeric: tabular-nums;
  font-weight: ${({ $urgent }) => ($urgent ? weight.strong : weight.regular)};
  color: ${({ $urgent }) => ($urgent ? color.danger : color.textQuiet)};
`
