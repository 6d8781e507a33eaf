import { expect, it, test } from 'vitest'
import { countryWords, whyNotThere } from './destinations.ts'
import { isState, nameOfState } from './states.ts'

const taxRates = [
  {
    country: 'United States',
    state: 'NJ',
    stateName: 'New Jersey',
    postalCodes: [],
    basisPoints: 662.5,
    onShipping: false,
  },
]
const anywhere = { shipsTo: [], taxRates: [] }

it('sends everywhere, and asks for no state, unless the owner said otherwise', () => {
  expect(whyNotThere(anywhere, { country: 'Iceland', state: '', postalCode: '' })).toBeNull()
  expect(whyNotThere(anywhere, { country: 'United States', state: '', postalCode: '' })).toBeNull()
  // What nobody knows as a country: a carrier may.
  expect(whyNotThere(anywhere, { country: 'Ruritania', state: '', postalCode: '' })).toBeNull()
})

it('names the countries it sends to', () => {
  const shop = { shipsTo: ['Canada', 'Mexico', 'United States'], taxRates: [] }
  expect(whyNotThere(shop, { country: 'Canada', state: '', postalCode: '' })).toBeNull()
  expect(whyNotThere(shop, { country: 'Ruritania', state: '', postalCode: '' })).toEqual({
    line: 'country',
    message: 'We do not ship there. We ship to Canada, Mexico and the United States.',
  })
})

test.each([
  ['NJ', true],
  ['new jersey ', true],
  // Tax free, but known.
  ['Oregon', true],
  ['', false],
  ['Jersey', false],
  ['Ontario', false],
])('where tax depends on the state, %j tells it: %j', (state, isTold) => {
  const why = whyNotThere({ shipsTo: [], taxRates }, { country: 'United States', state, postalCode: '' })
  expect(why).toEqual(
    isTold ? null : { line: 'state', message: 'Please enter the state or province, such as NJ: tax depends on it.' },
  )
})

test.each([
  ['NY', '10003', true],
  ['NY', ' 100 03', true],
  ['NY', '10003-1234', true],
  ['NY', '', false],
  ['NY', '100', false],
  ['NY', 'Brooklyn', false],
  // Known to be taxed at one rate everywhere.
  ['NJ', '', true],
])('where tax depends on the postal code, %s %j tells it: %j', (state, postalCode, isTold) => {
  const newYork = { country: 'United States', state: 'NY', stateName: 'New York', onShipping: false }
  const parts = [
    { ...newYork, postalCodes: ['100-104', '11201'], basisPoints: 887.5 },
    { ...newYork, postalCodes: [], basisPoints: 800 },
  ]
  const to = { country: 'United States', state, postalCode }
  expect(whyNotThere({ shipsTo: [], taxRates: [...taxRates, ...parts] }, to)).toEqual(
    isTold ? null : { line: 'postalCode', message: 'Please enter the postal code: tax depends on it.' },
  )
})

it('asks nobody for a state in another country', () => {
  expect(whyNotThere({ shipsTo: [], taxRates }, { country: 'Canada', state: '', postalCode: '' })).toBeNull()
})

it('knows states by code and name', () => {
  expect(nameOfState('Canada', 'QC')).toBe('Quebec')
  expect(nameOfState('Canada', 'NJ')).toBeUndefined()
  expect(nameOfState('Germany', 'BY')).toBeUndefined()
  expect(isState('United States', 'puerto rico')).toBe(true)
  expect(isState('Germany', 'BY')).toBe(false)
})

it('lists countries', () => {
  expect(countryWords(['Canada'])).toBe('Canada')
  expect(countryWords(['Cayman Islands', 'Netherlands'])).toBe('the Cayman Islands and the Netherlands')
  expect(countryWords(['Canada', 'Mexico'])).toBe('Canada and Mexico')
})
