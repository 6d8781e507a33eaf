import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { depth } from '../theme/z-index.ts'
import { below, color, radius, shadow, size, space, weight } from '../theme/tokens.ts'
import { TextButton } from './TextButton.tsx'

interface SelectionBarProps {
  count: number
  /** What is selected: "order", "product". */
  noun: string
  onClear: () => void
  /** Buttons. */
  children: ReactNode
}

/** What can be done with the selected rows; floats over the foot of the list while there are any. */
export function SelectionBar({ count, noun, onClear, children }: SelectionBarProps) {
  if (count === 0) return null
  return (
    <Bar role="region" aria-label="Selection">
      <p role="status">
        {count} {count === 1 ? noun : `${noun}s`} selected
      </p>
      <Actions>{children}</Actions>
      <TextButton onClick={onClear}>Clear</TextButton>
    </Bar>
  )
}

const Bar = styled.div`
  position: sticky;
  bottom: ${space[3]};
  z-index: ${depth.stickyHead};
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space[2]} ${space[4]};
  padding: ${space[2]} ${space[4]};
  background: ${color.raised};
  border: 1px solid ${color.lineStrong};
  border-radius: ${radius.md};
  box-shadow: ${shadow};
  font-size: ${size.sm};
  > p {
    font-weight: ${weight.strong};
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  > button {
    margin-left: auto;
    min-height: 2rem;
  }
`
const Actions = styled.div`
  display: flex;
  gap: ${space[2]};
  ${below.tablet} {
    order: 1;
    flex-basis: 100%;
    padding-block: ${space[1]};
    overflow-x: auto;
    scrollbar-width: none;
    button {
      flex: none;
      padding-inline: ${space[2]};
    }
  }
`
