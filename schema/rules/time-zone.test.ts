import { describe, expect, it } from 'vitest'
import { zonedMoment, isTimeZone } from './time-zone.ts'

describe('a time zone', () => {
  it.each(['America/New_York', 'Europe/Berlin', 'Asia/Calcutta', 'Etc/GMT+5', 'UTC'])('can be %s', name => {
    expect(isTimeZone(name)).toBe(true)
  })

  it.each(['', 'Atlantis/Capital', '+05:30', 'Europe/Berlin\r\nBcc: x', 'x'.repeat(65)])('cannot be %j', name => {
    expect(isTimeZone(name)).toBe(false)
  })
})

describe('an hour', () => {
  it.each([
    ['America/New_York', 'Nov 22, 2026, 7:22 PM EST'],
    ['Europe/Berlin', 'Nov 23, 2026, 1:22 AM GMT+1'],
    ['UTC', 'Nov 23, 2026, 12:22 AM UTC'],
  ])('says whose it is, in %s', (timeZone, words) => {
    expect(zonedMoment('2026-11-23T00:22:00Z', timeZone)).toBe(words)
    expect(zonedMoment(new Date('2026-11-23T00:22:00Z'), timeZone)).toBe(words)
  })
})
