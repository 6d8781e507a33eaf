import { type ComponentProps, useEffect, useId, useRef, useState } from 'react'
import { styled } from 'styled-components'
import { space } from '../theme/tokens.ts'
import { controlLook } from './Field.tsx'
import { Problem } from './Problem.tsx'
import { BareSelect } from './Select.tsx'

/** The longest list that can be read at a glance; larger quantities are typed. */
const LISTED = 20
const NEXT = LISTED + 1

const Narrow = styled.span`
  display: inline-block;
  width: 5.25rem;
  font-variant-numeric: tabular-nums;
`
const Wide = styled.div`
  display: grid;
  gap: ${space[1]};
  width: 7.5rem;
  font-variant-numeric: tabular-nums;
`
const Input = styled.input`
  ${controlLook}
`

export interface QuantitySelectProps {
  value: number
  /** The stock count. */
  max: number
  onChange: (quantity: number) => void
  /** What a form sends it as. */
  name?: string
  /** For screen readers, for example "Quantity of Ninepin Sock". */
  label?: string
  disabled?: boolean
}

/** 1 to the stock count: chosen from a list up to twenty, typed beyond. */
export function QuantitySelect({ value, max, onChange, label = 'Quantity', name, disabled }: QuantitySelectProps) {
  const [typing, setTyping] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!typing) return
    field.current?.focus()
    field.current?.select()
  }, [typing])

  if (max > LISTED && (typing || value > LISTED))
    return (
      <QuantityField
        ref={field}
        name={name}
        aria-label={label}
        value={value}
        max={max}
        onChange={onChange}
        disabled={disabled}
      />
    )
  return (
    <Narrow>
      <BareSelect
        name={name}
        aria-label={label}
        value={value}
        disabled={disabled}
        onChange={event => {
          const quantity = Number(event.target.value)
          setTyping(quantity === NEXT)
          onChange(quantity)
        }}
      >
        {Array.from({ length: Math.max(1, Math.min(max, LISTED)) }, (_, index) => (
          <option key={index} value={index + 1}>
            {index + 1}
          </option>
        ))}
        {max > LISTED && <option value={NEXT}>{NEXT} or more …</option>}
      </BareSelect>
    </Narrow>
  )
}

type QuantityFieldProps = Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'max'> &
  Pick<QuantitySelectProps, 'value' | 'max' | 'onChange'>

/** Takes over a possible quantity as it is typed. Others are corrected, with a message, when the field is left. */
function QuantityField({ value, max, onChange, ...input }: QuantityFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const id = useId()

  function type(text: string) {
    setTyped(text)
    setProblem(null)
    const quantity = readQuantity(text)
    if (quantity !== null && quantity >= 1 && quantity <= max) onChange(quantity)
  }

  function leave() {
    const quantity = typed === null ? value : readQuantity(typed)
    if (quantity !== null && quantity > max) {
      setProblem(`Only ${max.toLocaleString('en-US')} in stock.`)
      onChange(max)
    }
    setTyped(null)
  }

  return (
    <Wide>
      <Input
        {...input}
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        value={typed ?? value}
        onChange={event => type(event.target.value)}
        onBlur={leave}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          // Enter only confirms the number; it must not send the form.
          event.preventDefault()
          leave()
        }}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? id : undefined}
      />
      {problem && <Problem id={id}>{problem}</Problem>}
    </Wide>
  )
}

function readQuantity(text: string): number | null {
  const digits = text.replaceAll(/[,\s]/g, '')
  return /^\d+$/.test(digits) ? Number(digits) : null
}
