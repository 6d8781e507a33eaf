/** A range of whole numbers, both ends included; without an upper end when `to` is null. */
export interface Step {
  from: number
  to: number | null
}

const steps = (...starts: number[]): Step[] =>
  starts.map((from, place) => {
    const next = starts[place + 1]
    return { from, to: next === undefined ? null : next - 1 }
  })

/** Metres of one ball or skein. */
export const METRES_STEPS = steps(0, 100, 200, 400, 800)
/** Cents. */
export const PRICE_STEPS = steps(0, 500, 1_000, 2_000, 3_000, 5_000)
/** Cents for 100 metres. */
export const PRICE_PER_100_M_STEPS = steps(0, 250, 500, 1_000, 2_000)
/** Each step is this rating or better. */
export const RATING_STEPS = [4, 3, 2, 1] as const

/** The form used in filters and addresses: `1000-1999`, `5000-`. */
export const stepText = ({ from, to }: Step) => `${from}-${to ?? ''}`
