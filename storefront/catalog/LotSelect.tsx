import { styled } from 'styled-components'
import { fillFromLots, lotsInWords, type LotPortion } from '#schema/rules/lots'
import { color, size, space } from '../theme/tokens.ts'
import { onlyWithScript } from '../ui/NeedsScript.tsx'
import { Select } from '../ui/Select.tsx'
import type { LotSelectFragment } from './LotSelect.gql.ts'
import type { Buying } from './use-buying.ts'

interface LotSelectProps {
  product: LotSelectFragment
  buying: Buying
}

/** Chooses a dye lot, and says how many units each has. Nothing for products that are not kept by lot. */
export function LotSelect({ product, buying: { lot, setLot, quantity } }: LotSelectProps) {
  const { keptByLot, lots } = product
  const soldOut = soldOutCodes(product, lot)
  if (!keptByLot || lots.length + soldOut.length === 0) return null
  return (
    <Box>
      <Select label="Dye lot" value={lot ?? ''} onChange={({ target }) => setLot(target.value || null)}>
        <option value="">{lots.length > 0 ? 'Any one lot' : 'Any lot'}</option>
        {lots.map(({ code, quantity }) => (
          <option key={code} value={code}>
            Lot {code}: {quantity} left
          </option>
        ))}
        {soldOut.map(code => (
          <option key={code} value={code}>
            Lot {code}: sold out
          </option>
        ))}
      </Select>
      <Words role="status">{wordsFor(lots, quantity, lot)}</Words>
    </Box>
  )
}

/** Includes the lot that was asked for, for example by an old order, even if it has been taken off the list since. */
function soldOutCodes({ lots, soldOutLots }: LotSelectProps['product'], asked: string | null): string[] {
  const isListed = asked === null || soldOutLots.includes(asked) || lots.some(({ code }) => code === asked)
  return isListed ? [...soldOutLots] : [...soldOutLots, asked]
}

function wordsFor(lots: readonly LotPortion[], quantity: number, asked: string | null): string {
  const mine = lots.find(({ code }) => code === asked)
  if (asked !== null && !mine) return `Nothing is left of lot ${asked}.`
  if (lots.length === 0) return 'No lot has any left. Choose one if it has to be that very lot.'
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
