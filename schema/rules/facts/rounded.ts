/** Rounds to a hundredth, or to a tenth with 10 `steps`: labels are no more precise. */
export const rounded = (number: number, steps = 100) => Math.round(number * steps) / steps
