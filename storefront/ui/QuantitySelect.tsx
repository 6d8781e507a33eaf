import { styled } from 'styled-components'
import { BareSelect } from './Select.tsx'

const Narrow = styled.span`
  display: inline-block;
  width: 5.25rem;
  font-variant-numeric: tabular-nums;
`

interface QuantitySelectProps {
  value: number
  /** The stock count, or less. */
  max: number
  onChange: (quantity: number) => void
  /** For screen readers, for example "Quantity of Ninepin Sock". */
  label?: string
  disabled?: boolean
}

/** 1 to the stock count. */
export function QuantitySelect({ value, max, onChange, label = 'Quantity', disabled }: QuantitySelectProps) {
  return (
    <Narrow>
      <BareSelect aria-label={label} value={value} disabled={disabled} onChange={event => onChange(Number(event.target.value))}>
        {Array.from({ length: Math.max(1, max) }, (_, index) => (
          <option key={index} value={index + 1}>
            {index + 1}
          </option>
        ))}
      </BareSelect>
    </Narrow>
  )
}
