import { type ReactNode, type RefObject, type ToggleEvent, useRef } from 'react'
import { styled } from 'styled-components'
import type { swatches } from '../theme/swatches.ts'
import { below, color, control, font, from, motion, radius, size, space, weight } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { ChevronDownIcon, CloseIcon } from '../ui/icons.tsx'
import { iconButtonLook } from '../ui/IconButton.tsx'
import { Kept } from '../ui/Kept.tsx'
import { Swatch } from '../ui/Swatch.tsx'
import type { ProductFacetField } from '../generated/types.ts'
import { counted, FACET_TITLES, facetWords } from './facet-words.ts'
import { FACET_FIELDS, inAddress, isSingle, paramOf, SORT, tickOf, toggled, withValues } from './list-filter.ts'
import type { ProductListFragment } from './ProductList.gql.ts'
import type { Narrowing } from './use-narrowing.ts'

type Facet = ProductListFragment['facets'][number]
type Value = Facet['values'][number]

export const FILTERS = 'filters'

/** The facets most people use are open. */
const OPEN: readonly ProductFacetField[] = ['KIND', 'WEIGHT_CLASS', 'FIBRE', 'COLOUR', 'PRICE']
/** Of a longer facet, the rest waits behind a press. */
const SHOWN = 8

interface FacetsProps {
  facets: readonly Facet[]
  narrowing: Narrowing
  fixed: readonly ProductFacetField[]
  total: number
  totalIsExact: boolean
}

/**
 * What a list can be narrowed by: beside it where there is room, else a drawer. A form, so that it works before and
 * without our script.
 */
export function Facets({ narrowing, ...facts }: FacetsProps) {
  const { choices, sort, to, go } = narrowing
  const close = useRef<HTMLButtonElement>(null)
  return (
    <Kept
      as={Panel}
      id={FILTERS}
      popover="auto"
      aria-label="Filters"
      onToggle={(event: ToggleEvent) => event.newState === 'open' && close.current?.focus()}
      of={Inside}
      facts={{ ...facts, narrowing: { choices, sort, go }, path: to({}, null).split('?')[0], close }}
    />
  )
}

interface InsideProps extends Omit<FacetsProps, 'narrowing'> {
  narrowing: Pick<Narrowing, 'choices' | 'sort' | 'go'>
  /** Of the list. */
  path: string | undefined
  close: RefObject<HTMLButtonElement | null>
}

function Inside({ facets, narrowing, fixed, total, totalIsExact, path, close }: InsideProps) {
  const { choices, sort, go } = narrowing
  const byField = new Map(facets.map(({ field, values }) => [field, values]))
  const shown = FACET_FIELDS.filter(field => !fixed.includes(field)).flatMap(field => {
    const values = (byField.get(field) ?? []).filter(({ value }) => (tickOf(field) ?? value) === value)
    // A single choice shared by all products is no choice.
    const isChoice = values.length > 1 || choices[field] || (values[0] && values[0].count < total)
    return isChoice && values.length > 0 ? [{ field, values }] : []
  })
  const anything = Object.keys(choices).length > 0
  const groups = shown.filter(({ field }) => !tickOf(field))
  const ticks = shown.filter(({ field }) => tickOf(field))

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
                value && <Choice key={field} field={field} value={value} narrowing={narrowing} />,
            )}
          </Ticks>
        )}
        {groups.map(({ field, values }) => (
          <Group key={field} open={OPEN.includes(field) || choices[field] !== undefined}>
            <summary>
              <h3 id={`facet-${paramOf(field)}`}>{FACET_TITLES[field]}</h3>
              <ChevronDownIcon size={16} />
            </summary>
            <Values role="group" aria-labelledby={`facet-${paramOf(field)}`} $dots={field === 'COLOUR'}>
              {isSingle(field) && choices[field] && (
                <Row>
                  <input
                    type="radio"
                    name={paramOf(field)}
                    value=""
                    checked={false}
                    onChange={event =>
                      go(withValues(choices, field, []), {
                        pressed: event.currentTarget.closest('details') ?? event.currentTarget,
                      })
                    }
                  />
                  <span>Any</span>
                </Row>
              )}
              <Some values={values} isChosen={({ value }) => choices[field]?.includes(value) === true}>
                {value => <Choice key={value.value} field={field} value={value} narrowing={narrowing} />}
              </Some>
            </Values>
          </Group>
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

interface ChoiceProps {
  field: ProductFacetField
  value: Value
  narrowing: InsideProps['narrowing']
}

function Choice({ field, value, narrowing }: ChoiceProps) {
  const { choices, go } = narrowing
  const radio = isSingle(field) && !tickOf(field)
  return (
    <Row>
      <input
        type={radio ? 'radio' : 'checkbox'}
        name={paramOf(field)}
        value={inAddress(field, value.value)}
        checked={choices[field]?.includes(value.value) === true}
        onChange={event =>
          go(radio ? withValues(choices, field, [value.value]) : toggled(choices, field, value.value), {
            pressed: event.currentTarget,
          })
        }
      />
      {field === 'COLOUR' && <Swatch $family={value.value as keyof typeof swatches} />}
      <span>{facetWords(field, value.value)}</span>
      <Count>
        {value.count.toLocaleString('en-US')}
        {!value.countIsExact && '+'}
      </Count>
    </Row>
  )
}

/** The first few, and those that are chosen; the rest behind "more". */
function Some({
  values,
  isChosen,
  children,
}: {
  values: readonly Value[]
  isChosen: (value: Value) => boolean
  children: (value: Value) => ReactNode
}) {
  if (values.length <= SHOWN + 2) return values.map(children)
  const first = values.filter((value, index) => index < SHOWN || isChosen(value))
  const rest = values.filter(value => !first.includes(value))
  return (
    <>
      {first.map(children)}
      {rest.length > 0 && (
        <More>
          <summary>{rest.length} more</summary>
          {rest.map(children)}
        </More>
      )}
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
    /* No drawer here: the browser would hide what is not open. */
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
const Group = styled.details`
  border-bottom: 1px solid ${color.line};
  > summary {
    display: flex;
    align-items: center;
    justify-content: space-between;
    min-height: ${control.lg};
    list-style: none;
    cursor: pointer;
    &::-webkit-details-marker {
      display: none;
    }
    svg {
      color: ${color.textQuiet};
      transition: rotate ${motion.fast};
    }
  }
  &[open] > summary svg {
    rotate: 180deg;
  }
  h3 {
    font: ${weight.strong} ${size.sm} / 1.3 ${font.sans};
  }
`
const Values = styled.div<{ $dots?: boolean }>`
  padding-bottom: ${space[4]};
`
const Row = styled.label`
  display: flex;
  align-items: center;
  gap: ${space[2]};
  min-height: ${control.md};
  border-radius: ${radius.sm};
  font-size: ${size.sm};
  line-height: 1.3;
  cursor: pointer;
  input {
    flex: none;
    width: 1.125rem;
    height: 1.125rem;
    margin: 0;
    accent-color: ${color.accent};
    cursor: pointer;
  }
  > span:not([aria-hidden]):not(:last-child) {
    flex: 1;
    min-width: 0;
  }
  &:hover > span:not([aria-hidden]) {
    text-decoration: underline;
    text-decoration-thickness: 1px;
    text-underline-offset: 0.2em;
  }
  ${from.desktop} {
    min-height: 2rem;
  }
`
const Count = styled.small`
  font-size: ${size.xs};
  color: ${color.textQuiet};
  font-variant-numeric: tabular-nums;
`
const More = styled.details`
  summary {
    min-height: ${control.sm};
    padding-block: ${space[2]};
    font-size: ${size.sm};
    color: ${color.accent};
    cursor: pointer;
    list-style: none;
    &::-webkit-details-marker {
      display: none;
    }
    &:hover {
      text-decoration: underline;
    }
  }
  &[open] > summary {
    display: none;
  }
`
