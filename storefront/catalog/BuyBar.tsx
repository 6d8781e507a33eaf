import { type RefObject, useEffect, useState } from 'react'
import { styled } from 'styled-components'
import { color, from, measure, size, space, weight } from '../theme/tokens.ts'
import { depth } from '../theme/z-index.ts'
import { Button } from '../ui/Button.tsx'
import { BasketIcon } from '../ui/icons.tsx'
import { Money } from '../ui/Money.tsx'
import type { Buying } from './use-buying.ts'

interface BuyBarProps {
  product: { price: number; countInStock: number; expectedOn: string | null }
  buying: Buying
  /** The box that the bar replaces once it has scrolled away upwards. */
  box: RefObject<HTMLElement | null>
}

/** On phones: keeps buying within reach of the thumb while the shopper reads on. */
export function BuyBar({ product: { price, countInStock, expectedOn }, buying: { quantity, add }, box }: BuyBarProps) {
  const isPast = useIsPast(box)
  if (!isPast || countInStock === 0) return null
  return (
    <Bar role="group" aria-label="Buy">
      <Price>
        <Money cents={price * quantity} />
        {quantity > 1 && <small>for {quantity}</small>}
      </Price>
      <Button icon={<BasketIcon size={20} />} onClick={() => add(quantity)}>
        {expectedOn === null ? `Add ${quantity} to cart` : `Pre-order ${quantity}`}
      </Button>
    </Bar>
  )
}

function useIsPast(box: RefObject<HTMLElement | null>): boolean {
  const [isPast, setIsPast] = useState(false)
  useEffect(() => {
    if (!box.current) return
    const observer = new IntersectionObserver(([entry]) =>
      setIsPast(Boolean(entry && !entry.isIntersecting && entry.boundingClientRect.bottom < 0)),
    )
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box])
  return isPast
}

const Bar = styled.div`
  position: sticky;
  bottom: 0;
  z-index: ${depth.stickyHead};
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: ${space[4]};
  margin-inline: calc(-1 * ${measure.gutter});
  padding: ${space[2]} ${measure.gutter} calc(${space[2]} + env(safe-area-inset-bottom));
  background: ${color.ground};
  border-top: 1px solid ${color.line};
  ${from.tablet} {
    display: none;
  }
`
const Price = styled.p`
  display: flex;
  align-items: baseline;
  gap: ${space[2]};
  font-size: ${size.lg};
  font-weight: ${weight.strong};
  small {
    font-size: ${size.sm};
    font-weight: ${weight.regular};
    color: ${color.textQuiet};
  }
`
