import { useRef } from 'react'
import { styled } from 'styled-components'
import { dyeLots, fillFromLots, isAsAsked, lotsInWords, type LotPortion } from '#schema/rules/lots'
import { color, size, space } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { WarningIcon } from '../ui/icons.tsx'
import { cart, type CartItem } from './cart.ts'

/** The dye lots a line would come from. If they are several, or not those asked for, offers what to do about it. */
export function LotChoice({ item }: { item: CartItem }) {
  const { id, name, quantity, lots, askedLots } = item
  const place = useRef<HTMLDivElement>(null)
  const portions = fillFromLots(lots, quantity, askedLots)
  const isSettled = isAsAsked(portions, askedLots)
  if (isSettled && portions.length === 0) return null
  const [first] = portions
  function choose(asked: readonly LotPortion[], units: number) {
    cart.setLots(id, asked, units)
    // The buttons are gone; without this the focus would return to the top of the page.
    place.current?.focus()
  }
  return (
    <Place ref={place} role="group" aria-label={`Dye lots of ${name}`} id={lotsId(id)} tabIndex={-1}>
      {isSettled ? (
        <Quiet>{dyeLots(portions)}</Quiet>
      ) : (
        <>
          <Reason>
            <WarningIcon size={18} /> {reasonFor(item)}
          </Reason>
          <Buttons>
            {first && portions.length > 1 ? (
              <>
                <Button size="sm" onClick={() => choose(portions, quantity)}>
                  Take {lotsInWords(portions)}
                </Button>
                <Button size="sm" variant="quiet" onClick={() => choose([first], first.quantity)}>
                  Only {lotsInWords([first])}
                </Button>
              </>
            ) : (
              <Button size="sm" onClick={() => choose([], quantity)}>
                Take {first ? lotsInWords([first]) : 'any'}
              </Button>
            )}
          </Buttons>
        </>
      )}
    </Place>
  )
}

/** The element id of a line's lot choice. */
export const lotsId = (productId: string) => `lots-${productId}`

/** Whether the shopper has to choose before this can be ordered. */
export const hasLotsToChoose = ({ lots, quantity, askedLots }: CartItem) =>
  !isAsAsked(fillFromLots(lots, quantity, askedLots), askedLots)

const CAN_DIFFER = 'Lots can differ a little in colour.'

function reasonFor({ quantity, lots, askedLots }: CartItem): string {
  const [asked] = askedLots
  if (!asked) return `No dye lot has ${quantity} of these. ${CAN_DIFFER}`
  if (lots.length === 0) return 'Its dye lots are not kept apart any more.'
  if (askedLots.length > 1) return `There is no longer so much as ${lotsInWords(askedLots)}. ${CAN_DIFFER}`
  const left = lots.find(({ code }) => code === asked.code)?.quantity ?? 0
  if (left === 0) return `Nothing is left of lot ${asked.code}. ${CAN_DIFFER}`
  return `Lot ${asked.code} has only ${left} left. ${CAN_DIFFER}`
}

const Place = styled.div`
  display: grid;
  gap: ${space[2]};
  font-size: ${size.sm};
`
const Reason = styled.p`
  display: flex;
  gap: ${space[2]};
  svg {
    flex: none;
    color: ${color.warning};
  }
`
const Quiet = styled.p`
  color: ${color.textQuiet};
`
const Buttons = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${space[2]};
  button {
    padding-block: ${space[2]};
  }
`
