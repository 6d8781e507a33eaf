import type { Oklab } from 'culori/fn'
import { nth } from '#schema/rules/present'

const CLUSTERS = 6
const ROUNDS = 8

export interface Cluster {
  /** Of all pixels, 0 to 1. */
  share: number
  centre: Oklab
}

/** Light and shade count half: one dye has both. */
const distance = (one: Oklab, other: Oklab) => Math.hypot((one.l - other.l) / 2, one.a - other.a, one.b - other.b)

/** From 1 on two centres are two colours; below they are light and shade of one. */
function difference(one: Oklab, other: Oklab): number {
  const [c1, c2] = [Math.hypot(one.a, one.b), Math.hypot(other.a, other.b)]
  const cosine = c1 * c2 === 0 ? 1 : Math.min(1, (one.a * other.a + one.b * other.b) / (c1 * c2))
  const hue = 2 * Math.sqrt(c1 * c2) * Math.sqrt((1 - cosine) / 2)
  return Math.hypot(hue / 0.06, (c1 - c2) / 0.1, (one.l - other.l) / 0.42)
}

/** The colours of these pixels, the one with the most of them first. */
export function clustersOf(pixels: readonly Oklab[]): Cluster[] {
  const centres = [meanOf(pixels)]
  while (centres.length < CLUSTERS) {
    const byDistance = pixels
      .map(pixel => ({ pixel, far: Math.min(...centres.map(centre => distance(pixel, centre))) }))
      .toSorted((one, other) => one.far - other.far)
    // Not the very farthest, which may be a glint.
    const { pixel, far } = nth(byDistance, Math.floor(byDistance.length * 0.97))
    if (far < 0.05) break
    centres.push(pixel)
  }
  let groups: Oklab[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    groups = centres.map(() => [])
    for (const pixel of pixels) nth(groups, nearest(centres, pixel)).push(pixel)
    groups.forEach((group, place) => {
      if (group.length > 0) centres[place] = meanOf(group)
    })
  }
  return merged(
    groups.map((group, place) => ({ group, centres: [nth(centres, place)] })).filter(({ group }) => group.length),
  )
    .map(({ group }) => {
      const byLight = group.toSorted((one, other) => one.l - other.l)
      const lit = byLight.slice(Math.floor(group.length * 0.4), Math.ceil(group.length * 0.9))
      return { share: group.length / pixels.length, centre: meanOf(lit.length > 0 ? lit : group) }
    })
    .toSorted((one, other) => other.share - one.share)
}

interface Group {
  group: Oklab[]
  centres: Oklab[]
}

/** Puts light and shade of one colour together, the closest first, as long as all of it is one colour. */
function merged(groups: Group[]): Group[] {
  let best = { one: -1, other: -1, apart: 1 }
  groups.forEach((a, one) =>
    groups.slice(one + 1).forEach((b, at) => {
      const apart = Math.max(...a.centres.flatMap(x => b.centres.map(y => difference(x, y))))
      if (apart < best.apart) best = { one, other: one + 1 + at, apart }
    }),
  )
  if (best.one < 0) return groups
  const [a, b] = [nth(groups, best.one), nth(groups, best.other)]
  return merged([
    ...groups.filter(each => each !== a && each !== b),
    { group: [...a.group, ...b.group], centres: [...a.centres, ...b.centres] },
  ])
}

function nearest(centres: readonly Oklab[], pixel: Oklab): number {
  let best = 0
  for (let place = 1; place < centres.length; place++)
    if (distance(pixel, nth(centres, place)) < distance(pixel, nth(centres, best))) best = place
  return best
}

function meanOf(pixels: readonly Oklab[]): Oklab {
  const mean = (channel: 'l' | 'a' | 'b') => pixels.reduce((sum, pixel) => sum + pixel[channel], 0) / pixels.length
  return { mode: 'oklab', l: mean('l'), a: mean('a'), b: mean('b') }
}
