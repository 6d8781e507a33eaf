import { useId } from 'react'
import { styled } from 'styled-components'
import { color, radius, size, space } from '../theme/tokens.ts'

interface ProgressBarProps {
  label: string
  /** 0 to 1; left out while it is not known. */
  value?: number
}

export function ProgressBar({ label, value }: ProgressBarProps) {
  const id = useId()
  return (
    <Wrap>
      <span id={id}>{label}</span>
      {value !== undefined && <span aria-hidden="true">{Math.round(value * 100)} %</span>}
      <progress aria-labelledby={id} value={value} max={1} />
    </Wrap>
  )
}

const Wrap = styled.div`
  display: grid;
  grid-template-columns: 1fr auto;
  gap: ${space[1]} ${space[3]};
  font-size: ${size.sm};
  font-variant-numeric: tabular-nums;
  progress {
    grid-column: 1 / -1;
    appearance: none;
    width: 100%;
    height: 0.5rem;
    border: 0;
    border-radius: ${radius.pill};
    background: ${color.line};
    overflow: hidden;
  }
  progress::-webkit-progress-bar {
    background: ${color.line};
  }
  progress::-webkit-progress-value {
    background: ${color.text};
  }
  progress::-moz-progress-bar {
    background: ${color.text};
  }
`
