import { useSyncExternalStore } from 'react'
import { currentUnits, onUnitsChange, type Units } from '../theme/units.ts'

/** The measures the reader has chosen, for sentences; metric on the server and while hydrating. Figures stand in a Measure. */
export const useUnits = (): Units => useSyncExternalStore(onUnitsChange, currentUnits, () => 'METRIC')
