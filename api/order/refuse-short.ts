import { lotsInWords } from '#schema/rules/lots'
import type { OtherLots, Shortage, Taken } from '../catalog/stock.ts'
import type { UserError } from '../generated/types.ts'
import { Refusal } from '../kernel/errors.ts'

export function refuseShort({ shortages }: Pick<Taken, 'shortages'>): void {
  if (shortages.length > 0) throw new Refusal(shortages.map(shortageError))
}

export function refuseOtherLots({ otherLots }: Pick<Taken, 'otherLots'>): void {
  if (otherLots.length > 0) throw new Refusal(otherLots.map(lotsError))
}

function shortageError({ productId, name, available }: Shortage): UserError {
  if (available === null)
    return { code: 'NOT_FOUND', message: 'A product in your cart is no longer for sale.', field: ['lines', productId] }
  const message = available === 0 ? `“${name}” is sold out.` : `Only ${available} left of “${name}”.`
  return { code: 'OUT_OF_STOCK', message, field: ['lines', productId], available }
}

function lotsError({ productId, name, asked, portions, largest }: OtherLots): UserError {
  const field = ['lines', productId]
  if (asked.length > 0) {
    const instead = portions.length > 0 ? `; it can be ${lotsInWords(portions)}` : ''
    const message = `“${name}” cannot be had as ${lotsInWords(asked)} any more${instead}. Please choose again.`
    return { code: 'LOTS_GONE', message, field, available: largest }
  }
  return {
    code: 'MIXED_LOTS',
    message: `One dye lot does not have so many of “${name}”: it would be ${lotsInWords(portions)}. Please agree to that, or order at most ${largest}.`,
    field,
    available: largest,
  }
}
