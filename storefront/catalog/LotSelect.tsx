import { styled } from 'styled-components'
import { fillFromLots, lotsInWords, type LotPortion } from '#schema/rules/lots'
import { color, size, space } from '../theme/tokens.ts'
import { onlyWithScript } from '../ui/NeedsScript.tsx'
import { Select } from '../ui/Select.tsx'
import type { Buying } from './use-buying.ts'

interface LotSelectProps {
  product: { countInStock: number; lots: readonly LotPortion[] }
  buying: Buying
}

/** Which dye lot it shall be, and how many there are of each. Nothing for what is not kept by lot. */
export function LotSelect({ product: { countInStock, lots }, buying: { lot, setLot, quantity } }: LotSelectProps) {
  const mine = lots.find(({ code }) => code === lot)
  const words = lot !== null && !mine ? `Nothing is left of lot ${lot}.` : wordsFor(lots, quantity, mine)
  if (lots.length === 0) return lot !== null && countInStock === 0 ? <Words role="status">{words}</Words> : null
  return (
    <Box>
      <Select label="Dye lot" value={mine?.code ?? ''} onChange={({ target }) => setLot(target.value || null)}>
        <option value="">Any one lot</option>
        {lots.map(({ code, quantity }) => (
          <option key={code} value={code}>
            Lot {code}: {quantity} left
          </option>
        ))}
      </Select>
      <Words role="status">{words}</Words>
    </Box>
  )
}

function wordsFor(lots: readonly LotPortion[], quantity: number, mine: LotPortion | undefined): string {
  const portions = fillFromLots(lots, quantity, mine && [{ code: mine.code, quantity }])
  if (portions.length > 1) return `That would be ${lotsInWords(portions)}: you choose in the cart.`
  return 'All of one dye lot, so that the colour is the same throughout.'
}

const Box = styled.div`
  ${onlyWithScript}
  display: grid;
  gap: ${space[1]};
  max-width: 22rem;
`
const Words = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
