export const rounded = (number: number, steps = 100) => Math.round(number * steps) / steps
