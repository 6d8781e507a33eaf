import { styled } from 'styled-components'
import { color, control, radius } from '../theme/tokens.ts'
import { IconButton } from './IconButton.tsx'
import { MinusIcon, PlusIcon } from './page-icons.tsx'
import { onlyWithScript } from './NeedsScript.tsx'
import { QuantitySelect, type QuantitySelectProps } from './QuantitySelect.tsx'

/** One fewer, any quantity that is in stock, one more. */
export function QuantityStepper(props: QuantitySelectProps) {
  const { value, max, onChange, disabled } = props
  return (
    <Frame>
      <IconButton label="One fewer" disabled={disabled || value <= 1} onClick={() => onChange(value - 1)}>
        <MinusIcon size={18} />
      </IconButton>
      <QuantitySelect {...props} />
      <IconButton label="One more" disabled={disabled || value >= max} onClick={() => onChange(value + 1)}>
        <PlusIcon size={18} />
      </IconButton>
    </Frame>
  )
}

const Frame = styled.div`
  display: flex;
  align-items: flex-start;
  > button {
    border: 1px solid ${color.lineStrong};
    height: ${control.md};
  }
  > button {
    ${onlyWithScript}
  }
  > button:first-child {
    border-right: 0;
    border-radius: ${radius.md} 0 0 ${radius.md};
  }
  > button:last-child {
    border-left: 0;
    border-radius: 0 ${radius.md} ${radius.md} 0;
  }
  select,
  input {
    border-radius: 0;
  }
`
