import sharp from 'sharp'
import { converter, formatHex, modeOklab, modeOklch, modeRgb, useMode, type Oklab } from 'culori/fn'
import type { ColourFamily } from '#schema/rules/facts/shelf-names'
import type { PictureColours } from '#schema/rules/facts/product-facts'
import { nth, present } from '#schema/rules/present'

useMode(modeRgb)
useMode(modeOklab)
useMode(modeOklch)
const toOklab = converter('oklab')
const toOklch = converter('oklch')

/** Pictures are looked at in this size: enough for what is sold, and the time for it does not grow with the picture. */
const SIDE = 64
/** Points of a side that stand behind each of these: close up, paper is told from yarn. */
const CLOSER = 4
const CLUSTERS = 6
const ROUNDS = 8
/** What covers less of a thing is no colour of it. */
const LEAST_SHARE = 0.12
const MOST_COLOURS = 3

/** The raw pixels of a picture, four bytes each: red, green, blue, and how solid it is. */
export interface Pixels {
  data: Uint8Array
  width: number
  height: number
  /** Of each of them, how uneven it is close up. */
  roughness: Float32Array
}

type Size = Pick<Pixels, 'width' | 'height'>

export async function pixelsOf(picture: Buffer, mostPixels: number): Promise<Pixels> {
  const closer = await sharp(picture, { limitInputPixels: mostPixels })
    .resize(SIDE * CLOSER, SIDE * CLOSER, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = closer.info
  const { data, info } = await sharp(closer.data, { raw: { width, height, channels: 4 } })
    .resize(SIDE, SIDE, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, roughness: roughnessOf(closer.data, closer.info, info) }
}

/** How far points are from lying between their neighbours: a shadow that grows does not count, strands do. */
function roughnessOf(data: Uint8Array, { width: across, height: down }: Size, { width, height }: Size): Float32Array {
  const sums = new Float32Array(width * height)
  const counts = new Uint16Array(width * height)
  for (let y = 1; y < down - 1; y++)
    for (let x = 1; x < across - 1; x++) {
      // Green is most of what makes a point light.
      const at = (y * across + x) * 4 + 1
      const bent = (step: number) => Math.abs(2 * nth(data, at) - nth(data, at - step) - nth(data, at + step))
      const place = Math.floor((y * height) / down) * width + Math.floor((x * width) / across)
      sums[place] = nth(sums, place) + (bent(4) + bent(across * 4)) / 2
      counts[place] = nth(counts, place) + 1
    }
  return sums.map((sum, place) => sum / Math.max(1, nth(counts, place)))
}

/** One to three colours of what a picture shows, the most of it first, and the family it belongs to as a whole. */
export function coloursOf(pixels: Pixels): Omit<PictureColours, 'image' | 'reading'> {
  const { colours: seen, places } = foregroundOf(pixels)
  const band = bandOf(pixels, seen, places)
  const found = clustersOf(places.filter(at => !band.has(at)).map(at => nth(seen, at)))
  const yarn = found.filter(({ centre, share }) => share >= LABEL_SHARE || !looksLikePaper(centre))
  // A paper band round a skein is no colour of it. Where paper is nearly all there is, it is the thing itself.
  const shown = shareOf(yarn) > 0.4 ? yarn : found
  const whole = shareOf(shown)
  const main = shown.filter(({ share }, place) => place === 0 || share / whole >= LEAST_SHARE).slice(0, MOST_COLOURS)
  const colours = main.map(({ centre }) => ({ hex: present(formatHex(centre)), family: plainFamilyOf(centre) }))
  const others = main.filter(
    ({ centre }, place) =>
      nth(colours, place).family !== nth(colours, 0).family && farApart(centre, nth(main, 0).centre),
  )
  const isMixed = shareOf(others) / whole >= MIXED_SHARE
  // Half white and half blue is called blue.
  const named = colours.find(({ family }, at) => !NEUTRALS.has(family) && nth(main, at).share / whole >= NAMING_SHARE)
  return { colours, family: isMixed ? 'VARIEGATED' : (named ?? nth(colours, 0)).family }
}

/** The family of one plain colour, by lightness, chroma and hue as people see them. */
export function familyOfHex(hex: string): ColourFamily {
  return plainFamilyOf(present(toOklab(hex)))
}

/** Where a colour stands in a rainbow: its hue in degrees, and how light it is, 0 to 1. */
export function placeInRainbow(hex: string): { hue: number; lightness: number } {
  const { l, h = 0 } = present(toOklch(hex))
  // Reds with a touch of blue come behind the purples.
  return { hue: h < 10 ? h + 360 : h, lightness: l }
}

const LABEL_SHARE = 0.5
const NEUTRALS = new Set<ColourFamily>(['WHITE', 'GREY', 'UNDYED'])
const NAMING_SHARE = 0.3
/** Less of another colour is a trimming. */
const MIXED_SHARE = 0.17
const looksLikePaper = (colour: Oklab) => colour.l > 0.72 && Math.hypot(colour.a, colour.b) < 0.085

const shareOf = (clusters: readonly Cluster[]) => clusters.reduce((sum, { share }) => sum + share, 0)

const farApart = (one: Oklab, other: Oklab) =>
  Math.hypot(one.a - other.a, one.b - other.b) > 0.08 || Math.abs(one.l - other.l) > 0.38

function plainFamilyOf(colour: Oklab): ColourFamily {
  const { l, c, h = 0 } = toOklch(colour)
  if (h >= 60 && h < 120 && l > 0.63 && c >= 0.012 && (c < 0.055 || (c < 0.085 && h < 90 && l > 0.75))) return 'UNDYED'
  if (c < 0.016 + 0.018 * l || l < 0.18) return l < 0.3 ? 'BLACK' : l > 0.92 ? 'WHITE' : 'GREY'
  if (h >= 338 || h < 18) return l > 0.52 && !(c > 0.17 && l < 0.56) ? 'PINK' : 'RED'
  if (h < 34) {
    if (h >= 20 && c < 0.075 && l < 0.52) return 'BROWN'
    return c < 0.1 && l > 0.52 ? 'PINK' : l > 0.64 && h > 28 ? 'ORANGE' : 'RED'
  }
  if (h < 70) return (l < 0.58 && c < 0.115) || c < 0.095 ? 'BROWN' : 'ORANGE'
  if (h < 107) return l < 0.5 || (c < 0.095 && l < 0.75 && h < 85) || (c < 0.06 && l < 0.63) ? 'BROWN' : 'YELLOW'
  if (h < 174) return 'GREEN'
  if (h < 222) return 'TEAL'
  return h < 283 ? 'BLUE' : 'PURPLE'
}

/** The pixels of a picture, and where of them is what is sold: what is solid, or what differs from an even ground that begins at the border. */
function foregroundOf({ data, width, height }: Pixels): { colours: Oklab[]; places: readonly number[] } {
  const all = Array.from({ length: width * height }, (_, at) => at)
  const colours = all.map(at =>
    toOklab({
      mode: 'rgb',
      r: nth(data, at * 4) / 255,
      g: nth(data, at * 4 + 1) / 255,
      b: nth(data, at * 4 + 2) / 255,
    }),
  )
  const isSolid = (at: number) => nth(data, at * 4 + 3) >= 200
  const isBorder = (at: number) =>
    at < width || at >= width * (height - 1) || at % width === 0 || at % width === width - 1
  const border = all.filter(isBorder)
  const solid = all.filter(isSolid)
  const places =
    border.filter(isSolid).length < border.length / 2 ? solid : solidOnGround(colours, width, height, border, solid)
  return { colours, places: places.length > 0 ? places : all }
}

function solidOnGround(
  colours: readonly Oklab[],
  width: number,
  height: number,
  border: readonly number[],
  solid: readonly number[],
): readonly number[] {
  const median = (channel: 'l' | 'a' | 'b') =>
    nth(
      border.map(at => nth(colours, at)[channel]).toSorted((one, other) => one - other),
      border.length >> 1,
    )
  const ground = { l: median('l'), a: median('a'), b: median('b') }
  const tint = (at: number) => Math.hypot(nth(colours, at).a - ground.a, nth(colours, at).b - ground.b)
  const isGround = (at: number) => tint(at) < 0.03 && Math.abs(nth(colours, at).l - ground.l) < 0.06
  // A shadow is ground that gets darker little by little.
  const isShadow = (at: number, from: number) =>
    tint(at) < 0.025 &&
    nth(colours, at).l < ground.l &&
    nth(colours, at).l > ground.l - 0.4 &&
    Math.abs(nth(colours, at).l - nth(colours, from).l) < 0.035
  const todo = border.filter(isGround)
  if (todo.length < border.length * 0.7) return solid

  const out = new Uint8Array(colours.length)
  for (const at of todo) out[at] = 1
  for (let from = todo.pop(); from !== undefined; from = todo.pop()) {
    const column = from % width
    const beside = [from - width, from + width, column > 0 ? from - 1 : -1, column < width - 1 ? from + 1 : -1]
    for (const at of beside) {
      if (at < 0 || at >= out.length || out[at] || !(isGround(at) || isShadow(at, from))) continue
      out[at] = 1
      todo.push(at)
    }
  }
  const left = solid.filter(at => !out[at] && !isGround(at))
  // Ground shines through the outline.
  const inner = left.filter(at => ![at - 1, at + 1, at - width, at + width].some(beside => out[beside]))
  const kept = inner.length > left.length / 2 ? inner : left
  if (kept.length >= colours.length * 0.04) return kept
  // Something as light as its ground: it stands in the middle.
  const isMiddle = (place: number, size: number) => place > size / 3 && place < (size * 2) / 3
  return solid.filter(at => isMiddle(at % width, width) && isMiddle(Math.floor(at / width), height))
}

/** Paper is more even than this, strands are less. */
const EVEN = 5
const isPale = ({ l, a, b }: Oklab, mostChroma: number) => l > 0.6 && Math.hypot(a, b) < mostChroma
/** So many places lie between two of bare paper where lines are printed. */
const PRINT = 7

/**
 * Where a printed band is: even and pale, with print in between and an edge around. Nowhere when it would be hardly
 * anything, or most of what there is: then it is the thing itself, a smooth one.
 */
function bandOf(
  { width, height, roughness }: Pixels,
  colours: readonly Oklab[],
  places: readonly number[],
): Set<number> {
  const shown = new Set(places)
  const bare = new Set(places.filter(at => nth(roughness, at) < EVEN && isPale(nth(colours, at), 0.1)))
  const bareWithin = (at: number, step: number, most: number) => {
    for (let far = 1; far <= Math.min(most, PRINT); far++) if (bare.has(at + far * step)) return far
    return Infinity
  }
  const isPrinted = (at: number) => {
    const [column, row] = [at % width, Math.floor(at / width)]
    const across = bareWithin(at, -1, column) + bareWithin(at, 1, width - 1 - column)
    const down = bareWithin(at, -width, row) + bareWithin(at, width, height - 1 - row)
    return Math.min(across, down) <= PRINT
  }
  const band = new Set(places.filter(at => bare.has(at) || isPrinted(at)))
  const edge = [...band]
    .flatMap(at => [at - 1, at + 1, at - width, at + width])
    .filter(at => shown.has(at) && isPale(nth(colours, at), 0.085))
  for (const at of edge) band.add(at)
  const isBand = bare.size / places.length > 0.03 && band.size / places.length < 0.6
  return isBand ? band : new Set()
}

interface Cluster {
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
function clustersOf(pixels: readonly Oklab[]): Cluster[] {
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
