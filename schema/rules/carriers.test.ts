import { expect, test } from 'vitest'
import { carrierName, knownCarriers, trackingLink } from './carriers.ts'
import { present } from './present.ts'

test.each([
  ['ups', 'UPS'],
  ['royal MAIL', 'Royal Mail'],
  ['Dhl paket', 'DHL Paket'],
  ['Ann’s bicycle', 'Ann’s bicycle'],
])('%s is written %s', (typed, name) => {
  expect(carrierName(typed)).toBe(name)
})

test.each([
  [
    'USPS',
    '9400 1000 0000 0000 0000 00',
    'https://tools.usps.com/go/TrackConfirmAction?tLabels=9400100000000000000000',
  ],
  ['UPS', '1Z999AA10123456784', 'https://www.ups.com/track?tracknum=1Z999AA10123456784'],
  ['Royal Mail', 'AB/1?x', 'https://www.royalmail.com/track-your-item#/tracking-results/AB%2F1%3Fx'],
  ['UPS', null, null],
  ['UPS', '  ', null],
  ['Ann’s bicycle', '7', null],
  [null, '7', null],
])('a parcel of %s with number %s can be followed at %s', (carrier, number, link) => {
  expect(trackingLink(carrier, number)).toBe(link)
})

test('every known carrier is followed over https', () => {
  for (const carrier of knownCarriers) expect(new URL(present(trackingLink(carrier, '1'))).protocol).toBe('https:')
})
