import sharp from 'sharp'
import { converter, modeOklab, modeRgb, useMode, type Oklab } from 'culori/fn'
import { nth } from '#schema/rules/present'

useMode(modeRgb)
useMode(modeOklab)
const toOklab = converter('oklab')

/** Pictures are looked at in this size: enough for what is sold, and the time for it does not grow with the picture. */
const SIDE = 64
/** Points of a side that stand behind each of these: close up, they tell paper from yarn. */
const CLOSER = 4

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

/** The pixels of a picture, and where of them is what is sold: what is solid, or what differs from an even ground that begins at the border. */
export function foregroundOf({ data, width, height }: Pixels): { colours: Oklab[]; places: readonly number[] } {
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
export function bandOf(
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
