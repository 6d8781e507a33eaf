import { styled } from 'styled-components'
import { isDay } from '#schema/rules/day'
import { below, color, control, size, space } from '../theme/tokens.ts'
import { controlLook } from '../ui/Field.tsx'

/** A day as the address has it; null for what is none: people can type any address. */
export const dayOf = (text: string | null) => (text && isDay(text) ? text : null)

interface DayRangeProps {
  from: string | null
  to: string | null
  onChange: (change: { from: string } | { to: string }) => void
}

/** A first and a last day. */
export function DayRange({ from, to, onChange }: DayRangeProps) {
  return (
    <Days>
      <label>
        From{' '}
        <input
          type="date"
          value={from ?? ''}
          max={to ?? undefined}
          onChange={event => onChange({ from: event.target.value })}
        />
      </label>
      <label>
        to{' '}
        <input
          type="date"
          value={to ?? ''}
          min={from ?? undefined}
          onChange={event => onChange({ to: event.target.value })}
        />
      </label>
    </Days>
  )
}

const Days = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${space[2]};
  label {
    display: flex;
    align-items: center;
    gap: ${space[2]};
    font-size: ${size.sm};
    color: ${color.textQuiet};
  }
  input {
    ${controlLook}
    width: auto;
    min-height: ${control.sm};
    padding-block: ${space[1]};
    font-size: ${size.sm};
  }
  ${below.tablet} {
    label {
      flex: 1;
      flex-wrap: wrap;
    }
    input {
      flex: 1;
      min-width: 0;
    }
  }
`
