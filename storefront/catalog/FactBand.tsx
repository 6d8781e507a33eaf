import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { gaugeWords, lengthWords, toolWords, type Units, weightWords } from '#schema/rules/facts/units'
import { color, font, size, space, weight } from '../theme/tokens.ts'
import { FibreIcon, GaugeIcon, HookIcon, RulerIcon, ScaleIcon, TubIcon } from '../ui/fact-icons.tsx'
import { Kept } from '../ui/Kept.tsx'
import { Measure } from '../ui/Measure.tsx'
import { NeedleIcon } from '../ui/page-icons.tsx'
import { UnitSwitch } from '../ui/UnitSwitch.tsx'
import type { FactBandFragment } from './FactBand.gql.ts'
import { typeset } from './facts.ts'
import { Strand } from './Strand.tsx'

/** Everything on the band except its heading; the figures explain its words. */
const ON_THE_BAND = [
  'weight',
  'length',
  'gauge',
  'knittingNeedle',
  'crochetHook',
  'content',
  'recommendedCare',
] as const satisfies (keyof FactBandFragment)[]
type OnTheBand = (typeof ON_THE_BAND)[number]

interface Said {
  label: string
  icon: ReactNode
  wide?: boolean
  /** The figure in the given measures; null when the text cannot be read. */
  read?: (units: Units) => string | null
}

/** What the paper band round the skein says. Facts the product does not have are left out. */
export function FactBand({ product }: { product: FactBandFragment }) {
  const { category, facts: figures } = product
  const words = ON_THE_BAND.map(field => [field, product[field]] as const).filter(([, text]) => text.trim() !== '')
  if (words.length === 0) return null
  return <Kept as={Band} aria-label="Product facts" of={Inside} facts={{ category, figures, words }} />
}

interface InsideProps {
  category: string
  figures: FactBandFragment['facts']
  words: (readonly [OnTheBand, string])[]
}

function Inside({ category, figures, words }: InsideProps) {
  const { grams, metres, stitches, rows, needles, hooks } = figures
  const said: Record<OnTheBand, Said> = {
    weight: {
      label: 'Weight',
      icon: <ScaleIcon />,
      read: units => (grams ? weightWords(grams, units) : null),
    },
    length: {
      label: 'Length',
      icon: <RulerIcon />,
      read: units => (metres ? lengthWords(metres, units) : null),
    },
    gauge: { label: 'Gauge', icon: <GaugeIcon />, read: units => gaugeWords(stitches, rows, units) },
    knittingNeedle: {
      label: 'Knitting needle size',
      icon: <NeedleIcon />,
      read: units => toolWords(needles, 'NEEDLE', units),
    },
    crochetHook: {
      label: 'Crochet hook size',
      icon: <HookIcon />,
      read: units => toolWords(hooks, 'HOOK', units),
    },
    content: { label: 'Content', icon: <FibreIcon /> },
    recommendedCare: { label: 'Recommended care', icon: <TubIcon />, wide: true },
  }
  return (
    <>
      <Title>
        <span>{category}</span>
        <Strand weightClass={category} width={160} ground="band" />
      </Title>
      <dl>
        {words.map(([field, text]) => {
          const { label, icon, wide, read } = said[field]
          return (
            <Fact key={label} $wide={wide}>
              {icon}
              <dt>{label}</dt>
              <dd>
                <FactText text={text} read={read} />
              </dd>
            </Fact>
          )
        })}
      </dl>
      <Switch>
        <UnitSwitch />
      </Switch>
    </>
  )
}

/** The figure in the reader's measures, and below it the band's text. A text that cannot be read is shown as it is. */
function FactText({ text, read }: { text: string; read: ((units: Units) => string | null) | undefined }) {
  const [metric, us] = [read?.('METRIC'), read?.('US')]
  if (!metric || !us || metric === text)
    return metric && us ? <Measure metric={typeset(metric)} us={typeset(us)} /> : <Figures text={text} />
  return (
    <>
      <Measure metric={typeset(metric)} us={typeset(us)} />
      <Printed>
        <Figures text={text} />
      </Printed>
    </>
  )
}

/** A figure and its unit stay on one line. */
function Figures({ text }: { text: string }) {
  const parts = typeset(text).split(/(\d[\d.,]*\u2009\p{L}+)/u)
  return parts.map((part, index) => (index % 2 ? <Whole key={index}>{part}</Whole> : part))
}

const Switch = styled.p`
  margin-top: ${space[3]};
  font-size: ${size.sm};
`
const Printed = styled.span`
  display: block;
  font-size: ${size.xs};
  font-weight: ${weight.regular};
  color: ${color.textQuiet};
`
const Whole = styled.span`
  white-space: nowrap;
`
const Band = styled.section`
  container-type: inline-size;
  padding: ${space[2]} ${space[5]} ${space[5]};
  background: ${color.band};
  /* The double rule that every printed band has. */
  border-block: 4px double ${color.lineStrong};
  dl {
    display: grid;
    gap: ${space[4]} ${space[5]};
    @container (min-width: 26rem) {
      grid-template-columns: 1fr 1fr;
    }
  }
`
const Title = styled.p`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: ${space[4]};
  margin-bottom: ${space[4]};
  padding-block: ${space[3]};
  border-bottom: 1px solid ${color.line};
  font: ${weight.medium} ${size.xl} / 1.2 ${font.serif};
  svg {
    flex: 0 1 auto;
    min-width: 0;
  }
`
const Fact = styled.div<{ $wide?: boolean }>`
  display: grid;
  grid-template-columns: auto 1fr;
  align-content: start;
  column-gap: ${space[3]};
  ${({ $wide }) => $wide && 'grid-column: 1 / -1;'}
  svg {
    grid-row: span 2;
    margin-top: 0.15rem;
    color: ${color.text};
  }
  dt {
    font-size: ${size.xs};
    line-height: 1.3;
    color: ${color.textQuiet};
  }
  dd {
    margin: 0;
    font-weight: ${weight.medium};
    line-height: 1.35;
    font-variant-numeric: lining-nums;
  }
`
