import { Bar, BarChart, CartesianGrid, Cell, Tooltip, XAxis, YAxis } from 'recharts'
import { useId } from 'react'
import { styled } from 'styled-components'
import { below, color, font, radius, shadow, size, space } from '../theme/tokens.ts'

interface ChartPoint {
  /** Under the bar. */
  label: string
  /** In the tooltip. */
  title: string
  value: number
}

interface ChartProps {
  points: readonly ChartPoint[]
  /** A value in the tooltip and on the axis. */
  format: (value: number) => string
  formatTick: (value: number) => string
  /** The last bar is not finished yet: it is hatched. */
  lastIsOpen?: boolean
}

/**
 * Bars over time in the colour of ink. Hidden from screen readers, so show the same figures in a table, too.
 * Its own chunk; load it lazily.
 */
export default function Chart({ points, format, formatTick, lastIsOpen }: ChartProps) {
  const hatch = useId()
  const data = [...points]
  return (
    <Frame aria-hidden="true">
      <BarChart
        responsive
        data={data}
        accessibilityLayer={false}
        margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
        barCategoryGap="22%"
        style={{ width: '100%', height: '100%' }}
      >
        <defs>
          <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="5" height="5" fill={color.ground} />
            <rect width="2" height="5" fill={color.text} />
          </pattern>
        </defs>
        <CartesianGrid vertical={false} stroke={color.line} />
        <XAxis
          dataKey="label"
          tickLine={false}
          axisLine={{ stroke: color.lineStrong }}
          tick={{ fill: color.textQuiet, fontSize: 13 }}
          interval="preserveStartEnd"
          minTickGap={24}
        />
        <YAxis
          width={52}
          tickLine={false}
          axisLine={false}
          tick={{ fill: color.textQuiet, fontSize: 13 }}
          tickFormatter={formatTick}
          allowDecimals={false}
          tickCount={5}
          // Of nothing but zeros it would make an axis to the fourth cent.
          {...(data.every(({ value }) => value === 0) && { ticks: [0], domain: [0, 1] })}
        />
        <Tooltip cursor={{ fill: color.band }} isAnimationActive={false} content={<PointTip format={format} />} />
        <Bar dataKey="value" fill={color.text} maxBarSize={36} isAnimationActive={false}>
          {data.map((point, index) => (
            <Cell
              key={point.title}
              fill={lastIsOpen && index === data.length - 1 ? `url(#${hatch})` : color.text}
              stroke={color.text}
              strokeWidth={lastIsOpen && index === data.length - 1 ? 1 : 0}
            />
          ))}
        </Bar>
      </BarChart>
    </Frame>
  )
}

/** The chart fills in what the pointer is over. */
function PointTip({
  format,
  active,
  payload,
}: {
  format: (value: number) => string
  active?: boolean
  payload?: { payload?: ChartPoint }[]
}) {
  const point = payload?.[0]?.payload
  if (!active || !point) return null
  return (
    <Tip>
      <span>{point.title}</span>
      <strong>{format(point.value)}</strong>
    </Tip>
  )
}

const Frame = styled.div`
  height: 17rem;
  font-family: ${font.sans};
  font-variant-numeric: lining-nums tabular-nums;
  ${below.tablet} {
    height: 13rem;
  }
`
const Tip = styled.div`
  display: grid;
  padding: ${space[2]} ${space[3]};
  border-radius: ${radius.sm};
  background: ${color.text};
  color: ${color.ground};
  box-shadow: ${shadow};
  font-size: ${size.sm};
  line-height: 1.3;
`
