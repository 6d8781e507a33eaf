import { styled } from 'styled-components'
import { color, motion, radius, size, space } from '../theme/tokens.ts'
import { SkeinIcon } from '../ui/icons.tsx'
import { Money } from '../ui/Money.tsx'
import { useCartPrices } from './cart.ts'

/** A thread that winds up until shipping is free, and how much is missing in words; nothing where it never is. */
export function FreeShipping() {
  const { itemsPrice, toFreeShipping } = useCartPrices()
  if (toFreeShipping === null) return null
  const wound = itemsPrice / (itemsPrice + toFreeShipping)
  return (
    <Wrap>
      <p role="status">
        {toFreeShipping > 0 ? (
          <>
            Add <Money cents={toFreeShipping} /> more, and shipping is free.
          </>
        ) : (
          'Your shipping is free.'
        )}
      </p>
      <Track aria-hidden="true">
        <Thread style={{ width: `${wound * 100}%` }} />
        <SkeinIcon size={30} style={{ scale: 0.7 + wound * 0.3 }} />
      </Track>
    </Wrap>
  )
}

const Wrap = styled.div`
  display: grid;
  gap: ${space[1]};
  font-size: ${size.sm};
`
const Track = styled.div`
  position: relative;
  display: flex;
  align-items: center;
  height: 1.75rem;
  &::before {
    content: '';
    position: absolute;
    inset: calc(50% - 0.5px) 1.875rem auto 0;
    border-top: 1px dashed ${color.lineStrong};
  }
  svg {
    position: absolute;
    right: 0;
    transition: scale ${motion.slow};
  }
`
/** Two plies, twisted. */
const Thread = styled.div`
  position: relative;
  max-width: calc(100% - 1.75rem);
  height: 0.375rem;
  border-radius: ${radius.pill};
  background: repeating-linear-gradient(
    -55deg,
    ${color.text} 0 0.25rem,
    color-mix(in srgb, ${color.text} 55%, ${color.ground}) 0.25rem 0.375rem
  );
  transition: width ${motion.slow};
  @media (forced-colors: active) {
    border: 2px solid;
  }
`
