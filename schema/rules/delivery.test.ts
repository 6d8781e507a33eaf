import { describe, expect, it } from 'vitest'
import { DEFAULT_DELIVERY, dayIn, dayRangeWords, estimateDelivery } from './delivery.ts'

// 2026-11-20 is a Friday.
const FRIDAY = '2026-11-20'
const paidOn = (day: string, abroad = false) => estimateDelivery(DEFAULT_DELIVERY, { day, abroad })

describe('an estimate of delivery', () => {
  it('counts handling and transit in business days', () => {
    expect(paidOn(FRIDAY)).toEqual({ from: '2026-11-25', to: '2026-11-30' })
  })

  it('begins on a weekend as on the Friday before', () => {
    for (const day of ['2026-11-21', '2026-11-22']) expect(paidOn(day)).toEqual(paidOn(FRIDAY))
  })

  it('takes longer to another country', () => {
    expect(paidOn(FRIDAY, true)).toEqual({ from: '2026-12-02', to: '2026-12-15' })
  })

  it('counts no handling once the parcel has left', () => {
    expect(estimateDelivery(DEFAULT_DELIVERY, { day: FRIDAY, abroad: false, sent: true })).toEqual({
      from: '2026-11-24',
      to: '2026-11-26',
    })
  })

  it('begins on the day it is where the shop is', () => {
    const instant = new Date('2026-11-20T03:00:00Z')
    expect([dayIn('America/New_York', instant), dayIn('Europe/Berlin', instant)]).toEqual(['2026-11-19', '2026-11-20'])
  })
})

it.each([
  [{ from: '2026-11-24', to: '2026-11-27' }, 'Tue, Nov 24 – Fri, Nov 27'],
  [{ from: '2026-11-30', to: '2026-12-04' }, 'Mon, Nov 30 – Fri, Dec 4'],
  [{ from: '2026-11-24', to: '2026-11-24' }, 'Tue, Nov 24'],
])('%j is told as %s', (range, words) => {
  expect(dayRangeWords(range)).toBe(words)
})
