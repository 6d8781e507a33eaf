import { type RefObject, type ToggleEvent, useRef } from 'react'
import { styled } from 'styled-components'
import { below, color, from, motion, size, space } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { CloseIcon } from '../ui/icons.tsx'
import { iconButtonLook } from '../ui/IconButton.tsx'
import { Kept } from '../ui/Kept.tsx'
import type { ProductFacetField } from '../generated/types.ts'
import { Facet, FacetChoice } from './Facet.tsx'
import { counted } from './counted.ts'
import { FACET_FIELDS, facetOf } from './facet-table.ts'
import { SORT } from './list-filter.ts'
import type { ProductListFragment } from './ProductList.gql.ts'
import type { Narrowing } from './use-narrowing.ts'

export const FILTERS = 'filters'

interface FacetsProps {
  facets: ProductListFragment['facets']
  narrowing: Narrowing
  fixed: readonly ProductFacetField[]
  total: number
  totalIsExact: boolean
}

/**
 * What a list can be narrowed by: beside the list where there is room, otherwise in a drawer. It is a form, so it works
 * before our script has loaded, and without it.
 */
export function Facets({ narrowing, ...facts }: FacetsProps) {
  const { choices, sort, to, go, press } = narrowing
  const close = useRef<HTMLButtonElement>(null)
  return (
    <Kept
      as={Panel}
      id={FILTERS}
      popover="auto"
      aria-label="Filters"
      onToggle={(event: ToggleEvent) => event.newState === 'open' && close.current?.focus()}
      of={Inside}
      facts={{ ...facts, narrowing: { choices, sort, go, press }, path: to({}, null).split('?')[0], close }}
    />
  )
}

interface InsideProps extends Omit<FacetsProps, 'narrowing'> {
  narrowing: Pick<Narrowing, 'choices' | 'sort' | 'go' | 'press'>
  /** The list's address. */
  path: string | undefined
  close: RefObject<HTMLButtonElement | null>
}

function Inside({ facets, narrowing, fixed, total, totalIsExact, path, close }: InsideProps) {
  const { choices, sort, go, press } = narrowing
  const byField = new Map(facets.map(({ field, values }) => [field, values]))
  const shown = FACET_FIELDS.filter(field => !fixed.includes(field)).flatMap(field => {
    const { tick } = facetOf(field)
    const all = byField.get(field) ?? []
    const values = tick ? all.filter(({ value }) => value === tick) : all
    // A single value that all products share leaves nothing to choose.
    const isChoice = values.length > 1 || choices[field] || (values[0] && values[0].count < total)
    return isChoice && values.length > 0 ? [{ field, values }] : []
  })
  const anything = Object.keys(choices).length > 0
  const groups = shown.filter(({ field }) => !facetOf(field).tick)
  const ticks = shown.filter(({ field }) => facetOf(field).tick)

  return (
    <>
      <Form method="get" action={path} id="filter-form">
        <Top>
          <h2>Filter</h2>
          <Close
            ref={close}
            type="button"
            popoverTarget={FILTERS}
            popoverTargetAction="hide"
            aria-label="Close filters"
          >
            <CloseIcon size={20} />
          </Close>
        </Top>
        {sort && <input type="hidden" name={SORT} value={sort} />}
        {ticks.length > 0 && (
          <Ticks>
            {ticks.map(
              ({ field, values: [value] }) =>
                value && <FacetChoice key={field} field={field} value={value} chosen={choices[field]} press={press} />,
            )}
          </Ticks>
        )}
        {groups.map(({ field, values }) => (
          <Facet key={field} field={field} values={values} chosen={choices[field]} press={press} />
        ))}
        <noscript>
          <Button type="submit">Show</Button>
        </noscript>
      </Form>
      <Bottom>
        {anything && (
          <Button variant="quiet" onClick={() => go({})}>
            Clear all
          </Button>
        )}
        <Button popoverTarget={FILTERS} popoverTargetAction="hide">
          Show {counted(total, totalIsExact).replace(/^More/, 'more')}
        </Button>
      </Bottom>
    </>
  )
}

const Panel = styled.section`
  color: ${color.text};
  ${below.desktop} {
    position: fixed;
    inset: 0 0 0 auto;
    width: min(24rem, 100vw);
    height: 100dvh;
    max-height: none;
    margin: 0;
    padding: 0;
    border: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    background: ${color.raised};
    transition:
      translate ${motion.slow},
      overlay ${motion.slow} allow-discrete,
      display ${motion.slow} allow-discrete;
    translate: 100% 0;
    &:popover-open {
      translate: 0 0;
      @starting-style {
        translate: 100% 0;
      }
    }
    &::backdrop {
      background: ${color.scrim};
    }
  }
  ${from.desktop} {
    /* Not a drawer on wide screens: shown although the browser hides a popover that is not open. */
    display: block;
    position: static;
    width: auto;
    height: auto;
    margin: 0;
    padding: 0;
    border: 0;
    overflow: visible;
    background: none;
  }
`
const Form = styled.form`
  ${below.desktop} {
    padding: 0 ${space[5]} ${space[6]};
  }
`
const Top = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  ${below.desktop} {
    position: sticky;
    top: 0;
    z-index: 1;
    margin-inline: -${space[5]};
    padding: ${space[3]} ${space[3]} ${space[3]} ${space[5]};
    background: ${color.raised};
    border-bottom: 1px solid ${color.line};
  }
  h2 {
    font-size: ${size.xl};
  }
  ${from.desktop} {
    display: none;
  }
`
const Close = styled.button<{ $size?: 'sm' | 'md' }>`
  ${iconButtonLook}
`
const Bottom = styled.div`
  position: sticky;
  bottom: 0;
  display: flex;
  gap: ${space[3]};
  padding: ${space[3]} ${space[5]};
  background: ${color.raised};
  border-top: 1px solid ${color.line};
  > :last-child {
    flex: 1;
  }
  ${from.desktop} {
    display: none;
  }
`
const Ticks = styled.div`
  padding-block: ${space[2]};
  border-bottom: 1px solid ${color.line};
  ${from.desktop} {
    padding-top: 0;
  }
`
