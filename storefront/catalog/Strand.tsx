import { styled } from 'styled-components'
import { type ColorName, color } from '../theme/tokens.ts'

/** How thick a plied strand of each weight class is drawn, in units of the 24-unit-high picture. */
const THICKNESS: Record<string, number> = {
  Lace: 2.5,
  Fingering: 3.5,
  Sport: 4.5,
  DK: 5.5,
  Worsted: 7,
  Aran: 8.5,
  Bulky: 11,
  'Super Bulky': 15,
  Jumbo: 20,
}

const round = (n: number) => Math.round(n * 100) / 100

/** A leaning ellipse: one turn of a twist, seen from the side. */
function lobe(x: number, y: number, rx: number, ry: number, degrees: number) {
  const angle = (degrees * Math.PI) / 180
  const dx = round(rx * Math.cos(angle))
  const dy = round(rx * Math.sin(angle))
  const radii = `${round(rx)} ${round(ry)} ${degrees} 1 1`
  return `M${round(x - dx)} ${round(y - dy)}a${radii} ${2 * dx} ${2 * dy}a${radii} ${-2 * dx} ${-2 * dy}z`
}

/** Two twisted plies; their thickness shows the weight class. Nothing for products that are not yarn. */
export function Strand({
  weightClass,
  width = 64,
  ground = 'ground',
}: {
  weightClass: string
  width?: number
  ground?: ColorName
}) {
  const thick = THICKNESS[weightClass]
  if (!thick) return null
  const pitch = thick * 0.62
  const plies = Array.from({ length: Math.ceil(width / pitch) + 2 }, (_, index) =>
    lobe((index - 0.5) * pitch, 12, thick * 0.72, thick * 0.33, -32),
  )
  return (
    <Drawing
      viewBox={`0 0 ${width} 24`}
      width={width}
      height={24}
      preserveAspectRatio="xMinYMid slice"
      $ground={ground}
      aria-hidden="true"
      focusable="false"
    >
      <path d={plies.join('')} strokeWidth={round(0.3 + thick * 0.06)} />
    </Drawing>
  )
}

const Drawing = styled.svg<{ $ground: ColorName }>`
  flex: none;
  fill: currentcolor;
  stroke: ${({ $ground }) => color[$ground]};
  stroke-linejoin: round;
`
