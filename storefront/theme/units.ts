// Metric or US measures. Pages hold both, so that server and browser agree; CSS shows the chosen one, or else the one
// of the browser's region.
const KEY = 'units'

export type Units = 'METRIC' | 'US'

/** Regions where people buy by the ounce and use US needle sizes. */
const US_REGIONS = '/-(?:US|LR|MM)$/'

/** Runs inline in the head, before the first paint, so that measures never change under the reader's eyes. */
export const UNITS_SCRIPT = `try{var u=localStorage.getItem('${KEY}')}catch(e){}if(u!=='METRIC'&&u!=='US')u=${US_REGIONS}.test(navigator.language)?'US':'METRIC';document.documentElement.dataset.units=u`

export const unitsCss = `:root{--metric:inline;--us:none}:root[data-units='US']{--metric:none;--us:inline}`

const CHANGED = 'unitschange'

export const currentUnits = (): Units => (document.documentElement.dataset.units === 'US' ? 'US' : 'METRIC')

export function setUnits(units: Units): void {
  document.documentElement.dataset.units = units
  try {
    localStorage.setItem(KEY, units)
  } catch {
    // Storage is off: the choice lasts until the next page load.
  }
  dispatchEvent(new Event(CHANGED))
}

/** Calls `changed` when the measures change, also in another tab. Returns a function that stops it. */
export function onUnitsChange(changed: () => void): () => void {
  const follow = ({ key, newValue }: StorageEvent) => {
    if (key !== KEY || (newValue !== 'METRIC' && newValue !== 'US')) return
    document.documentElement.dataset.units = newValue
    changed()
  }
  addEventListener(CHANGED, changed)
  addEventListener('storage', follow)
  return () => {
    removeEventListener(CHANGED, changed)
    removeEventListener('storage', follow)
  }
}
