import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { readGauge } from '#schema/rules/facts/gauge'
import { stitchesUnderRuler, swatchPlan } from '../../../tools/seed-pictures/swatch-plan.ts'
import { catalogue } from './catalogue.ts'
import { picturesOf } from './sample-pictures.ts'
import { swatches, swatchOf } from './swatches.ts'
import { nth, present } from '#schema/rules/present'

const file = (image: string) => fileURLToPath(new URL(`./pictures/${image.replace('/images/', '')}`, import.meta.url))
const pictures = catalogue.flatMap(picturesOf)
const yarns = catalogue.flatMap(product => {
  const swatch = swatchOf(product)
  return swatch ? [{ ...product, swatch }] : []
})

test('every picture of the sample is there, described, as large as it says and not too heavy', async () => {
  expect(pictures.filter(({ image }) => !existsSync(file(image)))).toEqual([])
  for (const { image, alt, width, height } of pictures) {
    const picture = sharp(file(image))
    expect(await picture.metadata(), image).toMatchObject({ width, height, format: 'webp' })
    expect(alt, image).not.toBe('')
  }
  expect(new Set(pictures.map(({ alt }) => alt)).size).toBe(pictures.length)
})

test('every yarn has a knitted swatch, and nothing else has', () => {
  const shapes = ['hank', 'skein', 'ball', 'cake', 'cone', 'mini-set', 'ball-pair']
  expect(yarns.map(({ slug }) => slug)).toEqual(
    catalogue.filter(({ picture }) => shapes.includes(picture.shape)).map(({ slug }) => slug),
  )
})

describe('under the ruler lie as many stitches as the gauge says', () => {
  test.each(yarns)('$name', ({ name, gauge, swatch }) => {
    const counted = stitchesUnderRuler(swatchPlan(swatch))
    const { from, to } = present(present(readGauge(gauge)).stitches)
    expect(counted).toBeGreaterThanOrEqual(from)
    expect(counted).toBeLessThanOrEqual(to)
    const [, picture] = picturesOf(present(yarns.find(yarn => yarn.name === name)))
    expect(present(picture).alt).toContain(`${counted} stitches over 10 cm`)
  })

  // The pictures show the planned gauge: the two legs of a stitch repeat as often as it says.
  test('in the pictures themselves', async () => {
    for (const swatch of swatches) {
      const { slug } = present(yarns.find(yarn => yarn.swatch === swatch))
      expect(await stitchesSeen(file(`${slug}-swatch.webp`), swatch.stitches), slug).toBeCloseTo(swatch.stitches, 0)
    }
  })
})

/**
 * The strongest alternation of light and dark from left to right, below the ruler and near what is expected.
 * Two legs make a stitch.
 */
async function stitchesSeen(picture: string, about: number): Promise<number> {
  const { data, info } = await sharp(picture)
    .extract({ left: 0, top: 420, width: 1000, height: 580 })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const columns = Array.from({ length: info.width }, (_, x) => {
    let sum = 0
    for (let y = 0; y < info.height; y++) sum += nth(data, y * info.width + x)
    return sum / info.height
  })
  const mean = columns.reduce((sum, light) => sum + light, 0) / columns.length
  const { frame, zero, ten } = swatchPlan(nth(swatches, 0))
  const tenCentimetres = (info.width * (ten - zero)) / frame
  const strength = (stitches: number) => {
    let [re, im] = [0, 0]
    columns.forEach((light, x) => {
      const edge = Math.sin((Math.PI * (x + 0.5)) / columns.length) ** 2
      const angle = (2 * Math.PI * 2 * stitches * x) / tenCentimetres
      re += (light - mean) * edge * Math.cos(angle)
      im += (light - mean) * edge * Math.sin(angle)
    })
    return re * re + im * im
  }
  const tries = Array.from({ length: 121 }, (_, n) => about * (0.8 + n / 300))
  return tries.reduce((best, stitches) => (strength(stitches) > strength(best) ? stitches : best))
}
