import { styled } from 'styled-components'
import { color, from, radius, space } from '../theme/tokens.ts'

interface PickupChoiceProps {
  city: string
  isPickup: boolean
  onChange: (isPickup: boolean) => void
}

/** Whether an order is sent, or picked up at the shop. */
export function PickupChoice({ city, isPickup, onChange }: PickupChoiceProps) {
  return (
    <Choices>
      <legend>How would you like it?</legend>
      {[false, true].map(each => (
        <label key={String(each)}>
          <input type="radio" name="pickup" checked={isPickup === each} onChange={() => onChange(each)} />
          {each ? `Pick it up in ${city}, free` : 'Send it to me'}
        </label>
      ))}
    </Choices>
  )
}

const Choices = styled.fieldset`
  display: grid;
  gap: ${space[3]};
  ${from.tablet} {
    grid-template-columns: 1fr 1fr;
  }
  legend {
    padding: 0;
    margin-bottom: ${space[2]};
  }
  label {
    display: flex;
    align-items: center;
    gap: ${space[3]};
    padding: ${space[4]};
    border: 1px solid ${color.lineStrong};
    border-radius: ${radius.md};
    cursor: pointer;
  }
  label:has(:checked) {
    border-color: ${color.text};
    box-shadow: inset 0 0 0 1px ${color.text};
  }
  input {
    flex: none;
    width: 1.25rem;
    height: 1.25rem;
    margin: 0;
    accent-color: ${color.accent};
  }
`
