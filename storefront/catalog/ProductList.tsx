import { styled } from 'styled-components'
import { below, color, control, from, motion, radius, size, space } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { CloseIcon } from '../ui/icons.tsx'
import { Link } from '../ui/Link.tsx'
import { SlidersIcon } from '../ui/page-icons.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { BareSelect } from '../ui/Select.tsx'
import type { ProductFacetField } from '../generated/types.ts'
import { counted } from './counted.ts'
import { chipWords, FACET_FIELDS } from './facet-table.ts'
import { Facets, FILTERS } from './Facets.tsx'
import { SORT, SORTS, type SortName, toggled } from './list-filter.ts'
import { Pager } from './Pager.tsx'
import { ProductGrid } from './ProductGrid.tsx'
import type { ProductListFragment } from './ProductList.gql.ts'
import { NARROWS, useNarrowing } from './use-narrowing.ts'

const NOTHING_FIXED: readonly ProductFacetField[] = []

interface ProductListProps {
  list: ProductListFragment
  pathOf: (page: number) => string
  /** Facets the page itself has decided. */
  fixed?: readonly ProductFacetField[]
  /** What the list's own order is called; null for a list that has no other. */
  ownOrder: string | null
  /** How many pictures are in view at once. */
  eager?: number
  /** Called when a product is opened from the list. */
  onOpen?: () => void
}

/** Products with everything to narrow and sort them by; all of that is in the address. */
export function ProductList({ list, pathOf, fixed = NOTHING_FIXED, ownOrder, eager, onOpen }: ProductListProps) {
  const { items, page, pages, total, totalIsExact, facets } = list
  const narrowing = useNarrowing(pathOf, fixed)
  const { choices, sort, loading, to, toPage, go } = narrowing
  const chosen = FACET_FIELDS.flatMap(field => (choices[field] ?? []).map(value => ({ field, value })))

  return (
    <Columns>
      <Side>
        <Facets facets={facets} narrowing={narrowing} fixed={fixed} total={total} totalIsExact={totalIsExact} />
      </Side>
      <Main>
        <Bar>
          <FilterButton variant="quiet" popoverTarget={FILTERS}>
            <SlidersIcon size={18} />
            Filter{chosen.length > 0 && ` (${chosen.length})`}
          </FilterButton>
          <p role="status">{counted(total, totalIsExact)}</p>
          {ownOrder !== null && (
            <Sort>
              <label htmlFor="sort">Sort by</label>
              <BareSelect
                id="sort"
                name={SORT}
                form="filter-form"
                value={sort ?? ''}
                onChange={event => go(choices, { sort: (event.target.value || null) as SortName | null })}
              >
                <option value="">{ownOrder}</option>
                {(Object.keys(SORTS) as SortName[])
                  .filter(name => SORTS[name].label !== ownOrder || name === sort)
                  .map(name => (
                    <option key={name} value={name}>
                      {SORTS[name].label}
                    </option>
                  ))}
              </BareSelect>
            </Sort>
          )}
        </Bar>
        {chosen.length > 0 && (
          <Chips aria-label="Chosen filters">
            {chosen.map(({ field, value }) => (
              <li key={`${field} ${value}`}>
                <Chip
                  to={to(toggled(choices, field, value))}
                  state={NARROWS}
                  preventScrollReset
                  aria-label={`Take away ${chipWords(field, value)}`}
                >
                  {chipWords(field, value)}
                  <CloseIcon size={14} strokeWidth={2} />
                </Chip>
              </li>
            ))}
            <li>
              <Clear to={to({})} state={NARROWS} preventScrollReset>
                Clear all
              </Clear>
            </li>
          </Chips>
        )}
        <Goods aria-busy={loading || undefined}>
          {items.length > 0 ? (
            <ProductGrid products={items} eager={eager} onOpen={onOpen} />
          ) : (
            <EmptyState
              title={chosen.length > 0 ? 'Nothing fits all of that' : 'The shelf is bare'}
              action={
                chosen.length > 0 && (
                  <LinkButton as={Link} to={to({})} state={NARROWS} preventScrollReset $variant="quiet">
                    Clear all filters
                  </LinkButton>
                )
              }
            >
              <p>
                {chosen.length > 0
                  ? 'Take a filter away, and something will.'
                  : 'New yarn is on its way. Please look in again soon.'}
              </p>
            </EmptyState>
          )}
        </Goods>
        {page === pages && !totalIsExact && <p>There are more. Filters bring them within reach.</p>}
        <Pager page={page} pages={pages} to={toPage} />
      </Main>
    </Columns>
  )
}

const Columns = styled.div`
  display: grid;
  /* Scroll anchoring is off: use-narrowing.ts keeps the pressed filter in its place. */
  overflow-anchor: none;
  grid-template-columns: minmax(0, 1fr);
  ${from.desktop} {
    grid-template-columns: 13.5rem minmax(0, 1fr);
    column-gap: ${space[7]};
    align-items: start;
  }
`
const Side = styled.div`
  ${below.desktop} {
    display: contents;
  }
`
const Main = styled.div`
  min-width: 0;
`
const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space[2]} ${space[4]};
  min-height: ${control.md};
  margin-bottom: ${space[4]};
  p {
    color: ${color.textQuiet};
    font-size: ${size.sm};
    font-variant-numeric: tabular-nums;
  }
  ${below.tablet} {
    p {
      order: 1;
      flex-basis: 100%;
    }
  }
`
const FilterButton = styled(Button)`
  gap: ${space[2]};
  ${from.desktop} {
    display: none;
  }
`
const Sort = styled.div`
  display: flex;
  align-items: center;
  gap: ${space[2]};
  margin-left: auto;
  font-size: ${size.sm};
  label {
    color: ${color.textQuiet};
    white-space: nowrap;
  }
  select {
    font-size: ${size.sm};
  }
  ${below.tablet} {
    label {
      position: absolute;
      clip-path: inset(50%);
    }
  }
`
const Chips = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: ${space[2]};
  margin-bottom: ${space[5]};
  padding: 0;
  list-style: none;
`
const Chip = styled(Link)`
  display: inline-flex;
  align-items: center;
  gap: ${space[2]};
  min-height: ${control.sm};
  padding: 0 ${space[3]};
  border: 1px solid ${color.lineStrong};
  border-radius: ${radius.pill};
  font-size: ${size.sm};
  text-decoration: none;
  transition: background ${motion.fast};
  &:hover {
    background: ${color.band};
  }
  ${below.tablet} {
    min-height: ${control.md};
  }
`
const Clear = styled(Link)`
  display: inline-flex;
  align-items: center;
  min-height: ${control.sm};
  padding: 0 ${space[2]};
  font-size: ${size.sm};
  color: ${color.accent};
  ${below.tablet} {
    min-height: ${control.md};
  }
`
const Goods = styled.div`
  transition: opacity ${motion.medium};
  &[aria-busy] {
    opacity: 0.55;
  }
`
