import { readFileSync } from 'node:fs'
import { chromium as driver } from '@playwright/test'
import sharp from 'sharp'
import { nth } from '#schema/rules/present'
import { groupNameOf, variantName } from '#schema/rules/variant-name'
import type { SampleProduct } from '../../api/db/seed/catalogue.ts'
import { chromium } from '../../storefront/testing/browser.ts'
import { swatchPlan } from './swatch-plan.ts'
import { swatches } from '../../api/db/seed/swatches.ts'

/** A sheet to be printed on something in a picture: drawn in black, as ink. */
export interface Sheet {
  html: string
  /** In units of the studio. */
  width: number
  height: number
}

const PER_UNIT = 800

/** Bands whose axis stands upright are read along the loop, all others along the axis. */
const BANDS: Partial<Record<SampleProduct['picture']['shape'], { width: number; height: number }>> = {
  hank: { width: 0.62, height: 0.9 },
  skein: { width: 0.92, height: 1.2 },
  ball: { width: 0.64, height: 1.1 },
  'ball-pair': { width: 0.64, height: 1.1 },
  cake: { width: 1.45, height: 0.5 },
  cone: { width: 1.05, height: 0.53 },
  'mini-set': { width: 2.5, height: 0.68 },
}

/** What is printed on the band of a yarn: what the shop says about it. */
export function bandSheet(product: SampleProduct): Sheet | null {
  const size = BANDS[product.picture.shape]
  if (!size) return null
  const { name, weight, length, gauge, knittingNeedle, content, category } = product
  const line = groupNameOf(name) ?? name
  const facts = [`${plain(weight)} &middot; ${length}`, knittingNeedle, plain(gauge), content]
  const wide = size.width > size.height
  return {
    ...size,
    html: `<div class="band ${wide ? 'wide' : 'tall'}"><div>
      <h1>${escaped(line)}</h1><h2>${escaped(line === name ? '' : variantName(name, line))}</h2>
      </div><div><h3>${escaped(category)}</h3>${facts.map(fact => `<p>${fact}</p>`).join('')}</div></div>`,
  }
}

/** Without additions such as "(3.5 oz)" and ", or looser for lace". */
const plain = (text: string) => text.replace(/ \((?!\d+ ×).*\)|, or .*/, '')

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A ruler of ten centimetres, with millimetres along its lower edge; the same for every swatch. */
export function rulerSheet(): Sheet {
  const { zero, ten, ruler } = swatchPlan(nth(swatches, 0))
  const [width, height] = [ruler.length, ruler.height]
  const millimetre = ((ten - zero) / 100) * PER_UNIT
  const [left, foot] = [(zero + width / 2) * PER_UNIT, height * PER_UNIT]
  const marks = Array.from({ length: 101 }, (_, mm) => {
    const tall = millimetre * (mm % 10 === 0 ? 6.5 : mm % 5 === 0 ? 4.6 : 3)
    return `<rect x="${left + mm * millimetre - (mm % 10 ? 1.3 : 1.8)}" y="${foot - tall}" width="${mm % 10 ? 2.6 : 3.6}" height="${tall}"/>`
  })
  const digits = Array.from(
    { length: 11 },
    (_, cm) => `<text x="${left + cm * 10 * millimetre}" y="${foot - millimetre * 7.6}">${cm}</text>`,
  )
  return {
    width,
    height,
    html: `<svg width="${width * PER_UNIT}" height="${height * PER_UNIT}" text-anchor="middle" font-size="${millimetre * 4.6}">
      ${marks.join('')}${digits.join('')}<text x="${left + 50 * millimetre}" y="${millimetre * 5.2}" font-size="${millimetre * 3}"
      letter-spacing="6">CENTIMETRES</text></svg>`,
  }
}

const font = (family: string, file: string, style = 'normal') => {
  const data = readFileSync(new URL(`../../node_modules/@fontsource-variable/${file}`, import.meta.url))
  return `@font-face { font-family: ${family}; font-style: ${style}; font-weight: 200 900;
    src: url(data:font/woff2;base64,${data.toString('base64')}) }`
}

/** The shop's own typefaces. */
export const FONTS = `
  ${font('Brygada', 'brygada-1918/files/brygada-1918-latin-wght-normal.woff2')}
  ${font('Brygada', 'brygada-1918/files/brygada-1918-latin-wght-italic.woff2', 'italic')}
  ${font('Source', 'source-sans-3/files/source-sans-3-latin-wght-normal.woff2')}
`

const STYLE = `
  ${FONTS}
  * { margin: 0; font-weight: 500 }
  body { display: grid; place-items: center; width: 100vw; height: 100vh; background: #fff; font-family: Source }
  svg { display: block; font-weight: 500 }
  .band { display: grid; text-align: center; line-height: 1.12; font-size: 40px; width: max-content }
  .tall { width: 620px; gap: 22px }
  .wide { grid-template-columns: auto auto; align-items: center; gap: 54px }
  .wide > :first-child { max-width: 470px; padding-right: 50px; border-right: 3px solid }
  h1 { font: 700 92px/1 Brygada; text-wrap: balance }
  h2 { font: italic 500 78px/1.15 Brygada; text-wrap: balance }
  h3 { font: 600 38px/1.5 Source; letter-spacing: 0.16em; text-transform: uppercase }
  p { font-size: 52px; text-wrap: balance }
  .wide p { font-size: 46px; white-space: nowrap }
`

/** Runs in the page: makes the type as large as the paper allows. */
const FIT = `document.fonts.ready.then(() => {
  const band = document.querySelector('.band')
  if (band) band.style.zoom = 0.99 * Math.min(innerWidth / band.scrollWidth, innerHeight / band.offsetHeight)
})`

export type Press = Awaited<ReturnType<typeof openPress>>

/** Draws sheets in the shop's own typefaces, with one byte of ink per pixel. */
export async function openPress() {
  const browser = await driver.launch(await chromium())
  const page = await browser.newPage()
  async function draw({ html, width, height }: Sheet) {
    const [w, h] = [Math.round(width * PER_UNIT), Math.round(height * PER_UNIT)]
    await page.setViewportSize({ width: w, height: h })
    await page.setContent(`<style>${STYLE}</style>${html}`)
    await page.evaluate(FIT)
    const ink = sharp(await page.screenshot())
      .flatten({ background: '#fff' })
      .greyscale()
      .negate()
    const { data, info } = await ink.raw().toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height, perUnit: PER_UNIT, colour: '#33291f' }
  }
  return { draw, close: () => browser.close() }
}
