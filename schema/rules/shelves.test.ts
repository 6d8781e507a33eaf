import { expect, test } from 'vitest'
import { readWeightClass } from './facts/weight-class.ts'
import { WEIGHT_CLASSES } from './facts/shelf-names.ts'
import { sentenceOf } from './shelf-sentences.ts'
import { SHELVES, shelfAt, shelfFor, shelvesOf } from './shelves.ts'
import { present } from './present.ts'

test('every shelf has an address of its own, a heading and one sentence', () => {
  expect(new Set(SHELVES.map(({ path }) => path)).size).toBe(SHELVES.length)
  for (const shelf of SHELVES) {
    const { path, heading } = shelf
    expect(path).toMatch(/^\/(?:yarn(?:\/[a-z]+(?:-[a-z]+)*)?|needles|hooks|kits|patterns|notions|gift-cards)$/)
    expect(heading).toMatch(/^[A-Z]/)
    expect(sentenceOf(shelf)).toMatch(/^[A-Z][^!?]+\.$/)
    expect(shelfAt(path)?.path).toBe(path)
  }
})

test.each([
  ['/yarn/aran', '/yarn/worsted'],
  ['/yarn/sock', '/yarn/fingering'],
  ['/yarn/4-ply', '/yarn/fingering'],
  ['/yarn/8-ply', '/yarn/dk'],
  ['/yarn/chunky', '/yarn/bulky'],
  ['/yarn/gray', '/yarn/grey'],
  ['/yarn/bfl', '/yarn/bluefaced-leicester'],
  ['/Yarn/DK', '/yarn/dk'],
])('%s is the shelf %s', (path, shelf) => {
  expect(shelfAt(path)?.path).toBe(shelf)
})

test.each(['/yarn/', '/yarn/zeppelin', '/yarn/constructor', '/yarn/__proto__', '/dk', '/needles/dk', '/', ''])(
  'there is no shelf at %j',
  path => {
    expect(shelfAt(path)).toBeNull()
  },
)

test('other names of a weight mean the class that facts are read as', () => {
  for (const name of [
    'aran',
    'sock',
    '2-ply',
    '3-ply',
    '4-ply',
    '5-ply',
    '8-ply',
    '10-ply',
    '12-ply',
    'chunky',
    'super-chunky',
  ])
    expect(shelfAt(`/yarn/${name}`)?.filter.weightClass).toEqual([WEIGHT_CLASSES[present(readWeightClass(name))]])
})

test.each([
  ['KIND', 'HOOK', '/hooks'],
  ['KIND', 'YARN', '/yarn'],
  ['WEIGHT_CLASS', 'SUPER_BULKY', '/yarn/super-bulky'],
  ['FIBRE', 'SILK', '/yarn/silk'],
  ['COLOUR', 'TEAL', '/yarn/teal'],
  ['COLOUR', 'PUCE', undefined],
] as const)('%s %s has the shelf %s', (field, value, path) => {
  expect(shelfFor(field, value)?.path).toBe(path)
})

test.each([
  ['YARN', 'DK', ['/yarn', '/yarn/dk']],
  ['YARN', null, ['/yarn']],
  ['NEEDLES', null, ['/needles']],
  [null, null, []],
] as const)('a %s of weight %s lies on %j', (kind, weightClass, paths) => {
  expect(shelvesOf(kind, weightClass).map(({ path }) => path)).toEqual(paths)
})
