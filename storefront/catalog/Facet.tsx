import { memo, type ReactNode } from 'react'
import { styled } from 'styled-components'
import type { swatches } from '../theme/swatches.ts'
import { color, control, font, from, motion, radius, size, space, weight } from '../theme/tokens.ts'
import { ChevronDownIcon } from '../ui/icons.tsx'
import { Swatch } from '../ui/Swatch.tsx'
import type { ProductFacetField } from '../generated/types.ts'
import { facetOf } from './facet-table.ts'
import { toggled, withValues } from './list-filter.ts'
import type { ProductListFragment } from './ProductList.gql.ts'
import type { Narrowing } from './use-narrowing.ts'

type Value = ProductListFragment['facets'][number]['values'][number]

/** The facets most people use are open. */
const OPEN: readonly ProductFacetField[] = ['KIND', 'WEIGHT_CLASS', 'FIBRE', 'COLOUR', 'PRICE']
/** A longer facet hides the rest behind a button. */
const SHOWN = 8

interface FacetProps {
  field: ProductFacetField
  values: readonly Value[]
  /** None is undefined. */
  chosen: readonly string[] | undefined
  press: Narrowing['press']
}

/** One of the things a list can be narrowed by, with its values to choose from. A press in another one leaves it as it is. */
export const Facet = memo(function Facet({ field, values, chosen, press }: FacetProps) {
  const { param, title, single } = facetOf(field)
  return (
    <Group open={OPEN.includes(field) || chosen !== undefined}>
      <summary>
        <h3 id={`facet-${param}`}>{title}</h3>
        <ChevronDownIcon size={16} />
      </summary>
      <Values role="group" aria-labelledby={`facet-${param}`}>
        {single && chosen && (
          <Row>
            <input
              type="radio"
              name={param}
              value=""
              checked={false}
              onChange={event =>
                press(
                  choices => withValues(choices, field, []),
                  event.currentTarget.closest('details') ?? event.currentTarget,
                )
              }
            />
            <span>Any</span>
          </Row>
        )}
        <Some values={values} isChosen={({ value }) => chosen?.includes(value) === true}>
          {value => <FacetChoice key={value.value} field={field} value={value} chosen={chosen} press={press} />}
        </Some>
      </Values>
    </Group>
  )
}, isUnchanged)

/** The choices are read from the address each time. */
function isUnchanged(before: FacetProps, now: FacetProps): boolean {
  return before.values === now.values && before.press === now.press && String(before.chosen) === String(now.chosen)
}

interface FacetChoiceProps {
  field: ProductFacetField
  value: Value
  chosen: readonly string[] | undefined
  press: Narrowing['press']
}

export function FacetChoice({ field, value, chosen, press }: FacetChoiceProps) {
  const { param, write, words, single, tick } = facetOf(field)
  const radio = single && !tick
  return (
    <Row>
      <input
        type={radio ? 'radio' : 'checkbox'}
        name={param}
        value={write(value.value)}
        checked={chosen?.includes(value.value) === true}
        onChange={event =>
          press(
            choices => (radio ? withValues(choices, field, [value.value]) : toggled(choices, field, value.value)),
            event.currentTarget,
          )
        }
      />
      {field === 'COLOUR' && <Swatch $family={value.value as keyof typeof swatches} />}
      <span>{words(value.value)}</span>
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
const Values = styled.div`
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
