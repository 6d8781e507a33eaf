import { styled } from 'styled-components'
import { currentUnits, setUnits } from '../theme/units.ts'
import { Measure } from './Measure.tsx'
import { onlyWithScript } from './NeedsScript.tsx'
import { TextButton } from './TextButton.tsx'

/** From metric to US measures and back. */
export function UnitSwitch() {
  return (
    <Switch onClick={() => setUnits(currentUnits() === 'US' ? 'METRIC' : 'US')}>
      <Measure metric="Show US measures" us="Show metric measures" />
    </Switch>
  )
}

const Switch = styled(TextButton)`
  min-height: 2.75rem;
  ${onlyWithScript}
`
