import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { gaugeWords, lengthWords, toolWords, UNITS, type Units, weightWords } from '#schema/rules/facts/units'
import type { Washing } from '../generated/types.ts'
import { color, size, space } from '../theme/tokens.ts'
import { GaugeIcon, RulerIcon, TubIcon } from '../ui/fact-icons.tsx'
import { NeedleIcon } from '../ui/page-icons.tsx'
import { Measure } from '../ui/Measure.tsx'
import { isCompared, typeset } from './facts.ts'
import type { QuickFactsFragment } from './QuickFacts.gql.ts'

const CARE: Record<Washing, string> = { MACHINE: 'Machine wash', HAND: 'Hand wash', DRY_CLEAN: 'Dry clean only' }

/** What a knitter looks for first, in one line. Empty for what is no yarn and no pattern. */
export function QuickFacts({ product }: { product: QuickFactsFragment }) {
  if (!isCompared(product)) return null
  const { metres, grams, stitches, needles, washing } = product.facts
  const all: { label: string; icon: ReactNode; read: (units: Units) => string | null }[] = [
    {
      label: 'Length',
      icon: <RulerIcon size={18} />,
      read: units =>
        [metres && lengthWords(metres, units), grams && weightWords(grams, units)].filter(Boolean).join(' / ') || null,
    },
    { label: 'Gauge', icon: <GaugeIcon size={18} />, read: units => gaugeWords(stitches, null, units) },
    { label: 'Needle', icon: <NeedleIcon size={18} />, read: units => toolWords(needles, 'NEEDLE', units) },
    { label: 'Care', icon: <TubIcon size={18} />, read: () => washing && CARE[washing] },
  ]
  const known = all.flatMap(({ label, icon, read }) => {
    const [metric, us] = UNITS.map(read)
    return metric && us ? [{ label, icon, metric: typeset(metric), us: typeset(us) }] : []
  })
  if (known.length === 0) return null
  return (
    <Row aria-label="At a glance">
      {known.map(({ label, icon, metric, us }) => (
        <li key={label} title={label}>
          {icon}
          <Measure metric={metric} us={us} />
        </li>
      ))}
    </Row>
  )
}

const Row = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: ${space[2]} ${space[5]};
  padding: 0;
  list-style: none;
  font-size: ${size.sm};
  font-variant-numeric: lining-nums;
  li {
    display: inline-flex;
    align-items: center;
    gap: ${space[2]};
    white-space: nowrap;
  }
  svg {
    color: ${color.textQuiet};
  }
`
