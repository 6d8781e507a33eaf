import { converter, formatHex, modeOklab, modeOklch, modeRgb, useMode, type Oklab } from 'culori/fn'
import type { ColourFamily } from '#schema/rules/facts/shelf-names'
import type { PictureColours } from '#schema/rules/facts/product-facts'
import { nth, present } from '#schema/rules/present'
import { clustersOf, type Cluster } from './colour-clusters.ts'
import { bandOf, foregroundOf, type Pixels } from './picture-foreground.ts'

useMode(modeRgb)
useMode(modeOklab)
useMode(modeOklch)
const toOklab = converter('oklab')
const toOklch = converter('oklch')

/** What covers less of a thing is no colour of it. */
const LEAST_SHARE = 0.12
const MOST_COLOURS = 3

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
