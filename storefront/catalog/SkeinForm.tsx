import { useQuery } from '@apollo/client/react'
import { useEffect, useId, useState } from 'react'
import { styled } from 'styled-components'
import { yardsOfMetres } from '#schema/rules/facts/units'
import { garmentLabel, GARMENTS, type Garment, type GarmentSize, sizeLabel, sizesOf } from '#schema/rules/garments'
import {
  counted,
  explainSkeins,
  LEAST_STITCHES,
  MOST_METRES,
  MOST_STITCHES,
  type Skeins,
  skeinsFor,
  stitchesOf,
} from '#schema/rules/skeins'
import { paths } from '../paths.ts'
import { color, size, space, weight } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { Link } from '../ui/Link.tsx'
import { Money } from '../ui/Money.tsx'
import { Select } from '../ui/Select.tsx'
import { TextField } from '../ui/TextField.tsx'
import { useUnits } from '../ui/use-units.ts'
import { CostDifference } from './CostDifference.tsx'
import type { Project } from '../generated/types.ts'
import { EnoughSkeinsDocument, type SkeinFactsFragment } from './SkeinCalculator.gql.ts'

export interface SkeinFormProps {
  product: SkeinFactsFragment
  /** Called with the number of skeins to buy. */
  onTake: (skeins: number) => void
}

type By = 'garment' | 'length'

/** Reckons for a garment, or for the length a pattern asks for. */
export default function SkeinForm({ product, onTake }: SkeinFormProps) {
  const { facts } = product
  const usual = stitchesOf(facts)
  const [by, setBy] = useState<By>('garment')
  const [garment, setGarment] = useState<Garment>('JUMPER')
  const [chosenSize, setSize] = useState<GarmentSize>('M')
  const [stitches, setStitches] = useState(usual === null ? '' : String(usual))
  const [length, setLength] = useState('')
  const [chosenUnit, setUnit] = useState<'metres' | 'yards' | null>(null)
  const units = useUnits()
  const unit = chosenUnit ?? (units === 'US' ? 'yards' : 'metres')
  const name = useId()

  const sizes = sizesOf(garment)
  const fitting = sizes.find(each => each === chosenSize) ?? sizes[0] ?? 'M'
  const typed = numberOf(by === 'garment' ? stitches : length)
  const most =
    by === 'garment' ? MOST_STITCHES : unit === 'metres' ? MOST_METRES : Math.floor(yardsOfMetres(MOST_METRES))
  const least = by === 'garment' ? LEAST_STITCHES : 1
  const isGood = typed !== null && typed >= least && typed <= most
  const problem = typed !== null && !isGood ? `From ${least} to ${most.toLocaleString('en-US')}, please.` : null
  const project: Project | null = !isGood
    ? null
    : by === 'garment'
      ? { garment: { garment, size: fitting, stitches: typed } }
      : unit === 'metres'
        ? { metres: typed }
        : { yards: typed }
  const settled = useSettled(project)
  const needed = settled && skeinsFor(settled, facts)

  return (
    <Inside>
      <Ways>
        <legend>Reckon by</legend>
        {(['garment', 'length'] as const).map(each => (
          <label key={each}>
            <input type="radio" name={name} checked={by === each} onChange={() => setBy(each)} />
            {each === 'garment' ? 'what I make' : 'the length my pattern says'}
          </label>
        ))}
      </Ways>
      {by === 'garment' ? (
        <Fields>
          <Select label="Garment" value={garment} onChange={event => setGarment(event.target.value as Garment)}>
            {GARMENTS.map(each => (
              <option key={each} value={each}>
                {garmentLabel(each)}
              </option>
            ))}
          </Select>
          <Select label="Size" value={fitting} onChange={event => setSize(event.target.value as GarmentSize)}>
            {sizes.map(each => (
              <option key={each} value={each}>
                {sizeLabel(garment, each)}
              </option>
            ))}
          </Select>
          <TextField
            label="Stitches in 10 cm (4 in)"
            inputMode="decimal"
            autoComplete="off"
            maxLength={5}
            value={stitches}
            error={problem}
            onChange={event => setStitches(event.target.value)}
          />
        </Fields>
      ) : (
        <Fields>
          <TextField
            label="Length"
            inputMode="decimal"
            autoComplete="off"
            maxLength={9}
            value={length}
            error={problem}
            onChange={event => setLength(event.target.value)}
          />
          <Select label="In" value={unit} onChange={event => setUnit(event.target.value as typeof unit)}>
            <option value="metres">metres</option>
            <option value="yards">yards</option>
          </Select>
        </Fields>
      )}
      <Answer aria-live="polite">
        {settled && needed && <Sum product={product} project={settled} needed={needed} onTake={onTake} />}
      </Answer>
    </Inside>
  )
}

interface SumProps extends SkeinFormProps {
  project: Project
  needed: Skeins
}

function Sum({ product, project, needed, onTake }: SumProps) {
  const units = useUnits()
  const { countInStock, price } = product
  const { skeins } = needed
  const falls = skeins > countInStock
  return (
    <>
      <p>
        <strong>{counted(skeins)}</strong>, <Money cents={skeins * price} />
      </p>
      <p>{explainSkeins(project, needed, project.yards != null ? 'US' : project.metres != null ? 'METRIC' : units)}</p>
      {falls ? (
        <>
          <p>{countInStock === 0 ? 'None is in stock.' : `Only ${countInStock.toLocaleString('en-US')} in stock.`}</p>
          <Enough id={product.id} project={project} />
        </>
      ) : (
        <Button variant="quiet" size="sm" onClick={() => onTake(skeins)}>
          Take {counted(skeins)}
        </Button>
      )}
    </>
  )
}

/** The nearest colourway or yarn of which there is enough. */
function Enough({ id, project }: { id: string; project: Project }) {
  const { data, loading } = useQuery(EnoughSkeinsDocument, { variables: { id, project } })
  if (!data) return loading ? <p>Looking for what suffices …</p> : null
  const instead = data.product?.skeinsFor?.instead
  if (!instead) return <p>No yarn like it has enough in stock.</p>
  const { product, skeins, costsMore } = instead
  return (
    <p>
      Of <Link to={paths.product(product.id, product.name)}>{product.name}</Link> there is enough: {counted(skeins)},{' '}
      <CostDifference cents={costsMore} />.
    </p>
  )
}

/** A decimal comma counts as a point. Null when the text is not a number. */
function numberOf(text: string): number | null {
  const digits = text.trim().replace(',', '.')
  return /^\d{1,7}(?:\.\d{1,4})?$/.test(digits) ? Number(digits) : null
}

const PAUSE_MS = 400

/** The input, once it has not changed for a moment, so that screen readers do not read a result for every key. */
function useSettled(project: Project | null): Project | null {
  const [settled, setSettled] = useState(project)
  const key = JSON.stringify(project)
  useEffect(() => {
    const pause = setTimeout(() => setSettled(JSON.parse(key) as Project | null), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [key])
  return settled
}

const Inside = styled.div`
  display: grid;
  gap: ${space[4]};
  padding-bottom: ${space[4]};
`
const Ways = styled.fieldset`
  display: flex;
  flex-wrap: wrap;
  gap: ${space[1]} ${space[4]};
  legend {
    padding: 0;
    font-size: ${size.sm};
    font-weight: ${weight.strong};
  }
  label {
    display: flex;
    align-items: center;
    gap: ${space[2]};
    min-height: 2.75rem;
    cursor: pointer;
  }
  input {
    width: 1.25rem;
    height: 1.25rem;
    margin: 0;
    accent-color: ${color.accent};
  }
`
const Fields = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(9rem, 100%), 1fr));
  gap: ${space[3]};
  align-items: start;
`
const Answer = styled.div`
  display: grid;
  justify-items: start;
  gap: ${space[2]};
  font-size: ${size.md};
`
