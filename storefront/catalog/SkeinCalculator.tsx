import { lazy } from 'react'
import { styled } from 'styled-components'
import { useHydrated } from '../data/stored.ts'
import { color, space, weight } from '../theme/tokens.ts'
import { ChevronDownIcon } from '../ui/icons.tsx'
import { Part } from '../ui/Part.tsx'
import type { SkeinFormProps } from './SkeinForm.tsx'

// It works by script alone, and nobody sees it before it is unfolded, so its code comes after the page is there.
const SkeinForm = lazy(() => import('./SkeinForm.tsx'))

/** How many skeins a project takes. Folded until it is opened. */
export function SkeinCalculator({ product, onTake }: SkeinFormProps) {
  const hydrated = useHydrated()
  if (!product.facts.metres) return null
  return (
    <Fold>
      <summary>
        How many skeins?
        <ChevronDownIcon size={18} />
      </summary>
      {hydrated && (
        <Part>
          <SkeinForm product={product} onTake={onTake} />
        </Part>
      )}
    </Fold>
  )
}

const Fold = styled.details`
  border-block: 1px solid ${color.line};
  summary {
    display: flex;
    align-items: center;
    justify-content: space-between;
    padding-block: ${space[3]};
    font-weight: ${weight.strong};
    cursor: pointer;
    &::-webkit-details-marker {
      display: none;
    }
  }
  &[open] > summary svg {
    rotate: 180deg;
  }
`
