/**
 * Makes the pictures of what is of paper and needs no Blender: the sample's patterns, each a folded leaflet whose cover shows what it is for,
 * and its gift cards, each with a knitted border.
 *
 *   npx tsx tools/seed-pictures/leaflets.ts
 */
import { fileURLToPath } from 'node:url'
import { chromium as driver } from '@playwright/test'
import sharp from 'sharp'
import { nth, present, valueAt } from '#schema/rules/present'
import { giftCards } from '../../api/db/seed/catalogue.ts'
import { CHART_COLOURS, FIR, FOX, patterns } from '../../api/db/seed/patterns.ts'
import { chromium } from '../../storefront/testing/browser.ts'
import { FONTS } from './prints.ts'

const SIDE = 1000
/** The cover, before it is laid on the table. */
const [WIDTH, HEIGHT] = [560, 780]
const CARD = { width: 760, height: 480 }
const STITCH = { width: 20, height: 17 }

interface Knitting {
  /** What is knitted, as an outline on the cover. */
  outline: string
  /** Which of the colours a stitch has. */
  colour: (row: number, column: number) => number
}

const every = (number: number, of: number) => ((number % of) + of) % of

const drawn = (chart: readonly string[], row: number, column: number) =>
  valueAt(CHART_COLOURS, nth([...nth(chart, row)], every(column, 7)))

const KNITTINGS: Record<string, Knitting> = {
  'pattern-first-hat': {
    outline: 'M90 470 V330 C90 120 190 40 280 40 S470 120 470 330 V470 Q470 500 440 500 H120 Q90 500 90 470 Z',
    // Ribs on the brim, and three stripes above them.
    colour: (row, column) => (row > 23 ? (every(column, 4) < 2 ? 1 : 2) : [17, 18, 21].includes(row) ? 1 : 0),
  },
  'pattern-night-train-socks': {
    outline:
      'M190 40 H360 V300 C360 330 372 345 396 366 L470 432 C520 478 488 540 420 540 H330 C270 540 240 520 214 486 C196 460 190 430 190 396 Z',
    colour: (row, column) =>
      row < 7 ? (every(column, 4) < 2 ? 0 : 1) : every(row, 9) < 4 ? 0 : every(row, 9) < 7 ? 1 : 2,
  },
  'pattern-fox-mittens': {
    outline:
      'M150 540 V300 C150 120 210 30 280 30 S410 120 410 300 V330 L448 262 C476 222 520 250 506 296 L430 452 C418 478 410 490 410 510 V540 Z',
    colour: (row, column) => {
      if (row > 27) return every(column, 2) === 0 ? 1 : 2
      return drawn(Math.floor(row / 9) % 2 === 1 ? FOX : FIR, every(row, 9), column)
    },
  },
}

/** Two legs of a stitch of stocking stitch. */
function stitch(row: number, column: number, colour: string): string {
  const [x, y] = [(column + 0.5) * STITCH.width, (row + 0.5) * STITCH.height]
  const leg = (side: number) =>
    `<ellipse rx="4.7" ry="11.4" transform="translate(${x + side * 4.6} ${y}) rotate(${side * -27})" fill="${colour}" stroke="#0003" stroke-width=".7"/>
     <path d="M${x + side * 6.4} ${y - 8} q ${side * -1} 8 ${side * -4} 15" fill="none" stroke="#fff3" stroke-width="1.5"/>`
  return leg(-1) + leg(1)
}

function knitted({ outline, colour }: Knitting, colours: readonly string[]): string {
  const rows = Array.from({ length: 33 }, (_, row) => row)
  const columns = Array.from({ length: 28 }, (_, column) => column)
  const stitches = rows.flatMap(row =>
    columns.map(column => stitch(row, column, present(colours[colour(row, column)]))),
  )
  return `<svg viewBox="0 0 560 560"><clipPath id="outline"><path d="${outline}"/></clipPath>
    <g clip-path="url(#outline)"><rect width="560" height="560" fill="#0004"/>${stitches.join('')}</g>
    <path d="${outline}" fill="none" stroke="#0002" stroke-width="3"/></svg>`
}

const STYLE = `
  ${FONTS}
  * { margin: 0; box-sizing: border-box }
  body { width: ${SIDE}px; height: ${SIDE}px; display: grid; place-items: center; perspective: 2600px; background: none }
  .table { position: relative; width: ${WIDTH}px; height: ${HEIGHT}px; transform: translateY(-14px) rotateX(34deg) rotateZ(-13deg) scale(.98); transform-style: preserve-3d }
  .table > * { position: absolute; inset: 0; border-radius: 3px 5px 5px 3px }
  .shadow { background: #1c120a; filter: blur(22px); opacity: .42; transform: translate(16px, 20px) }
  .contact { background: #1c120a; filter: blur(5px); opacity: .4; transform: translate(5px, 6px) }
  .back { background: #e9dfca; transform: translate(6px, 5px) rotateZ(.8deg); box-shadow: inset -1px -1px 0 #cdbf9f }
  .middle { background: #f3ead8; transform: translate(3px, 2.5px) rotateZ(.35deg); box-shadow: inset -1px -1px 0 #d6c9ab }
  .cover { overflow: hidden; padding: 44px 44px 36px; text-align: center; color: #2b231a; display: grid; grid-template-rows: auto 1fr auto;
    background: linear-gradient(102deg, #0000 0 2.2%, #0001 2.6%, #fff4 3.4%, #0000 9%), linear-gradient(160deg, #fdf8ec, #f1e7d2);
    box-shadow: inset 1px 0 0 #fff8, inset -1px -1px 0 #d9ccb0 }
  h1 { font: 600 62px/1 Brygada; letter-spacing: -.01em }
  h2 { font: italic 500 29px/1.35 Brygada; margin-top: 12px; color: #5b4d3c }
  svg { width: 100%; height: 100%; margin-top: 14px; filter: drop-shadow(0 3px 4px #0003) }
  .table.of-card { width: ${CARD.width}px; height: ${CARD.height}px }
  .of-card > * { border-radius: 26px }
  .card { overflow: hidden; background: #0003; box-shadow: inset 1px 1px 0 #fff5, inset -1px -1px 0 #0003 }
  .card svg { position: absolute; inset: 0; margin: 0; filter: none }
  .label { position: absolute; inset: 62px 74px; border-radius: 12px; display: grid; place-content: center; text-align: center; gap: 18px; color: #2b231a;
    background: linear-gradient(160deg, #fdf8ec, #f1e7d2); box-shadow: 0 2px 5px #0005, inset -1px -1px 0 #d9ccb0 }
  .label h1 { font-size: 132px }
  .label h2 { font-size: 46px; margin: 0 }
  p { font: 600 19px/1 Source; letter-spacing: .16em; text-transform: uppercase; color: #6d5e4a }
`

/** The knitting all over a card, in rows of two colours. */
function fabric(colours: readonly string[]): string {
  const rows = Array.from({ length: Math.ceil(CARD.height / STITCH.height) + 1 }, (_, row) => row)
  const columns = Array.from({ length: CARD.width / STITCH.width }, (_, column) => column)
  const stitches = rows.flatMap(row =>
    columns.map(column =>
      stitch(row, column, present(colours[every(row + column, 4) === 0 || every(row - column, 4) === 0 ? 1 : 0])),
    ),
  )
  return `<svg viewBox="0 0 ${CARD.width} ${CARD.height}">${stitches.join('')}</svg>`
}

const browser = await driver.launch(await chromium())
const page = await browser.newPage({ viewport: { width: SIDE, height: SIDE }, deviceScaleFactor: 2 })
for (const { slug, name, content, gauge, picture } of patterns) {
  const [, title] = present(/^(.*) Pattern$/.exec(name))
  await draw(
    slug,
    `<div class="table"><i class="shadow"></i><i class="contact"></i><i class="back"></i><i class="middle"></i>
    <div class="cover"><div><h1>${present(title).replace('&', '&amp;')}</h1><h2>${content}</h2></div>
    ${knitted(present(KNITTINGS[slug]), picture.colours)}<p>${gauge.split(' = ')[0]}</p></div></div>`,
  )
}
for (const { slug, price, picture } of giftCards)
  await draw(
    slug,
    `<div class="table of-card"><i class="shadow"></i><i class="contact"></i>
    <div class="card">${fabric(picture.colours)}<div class="label"><h1>${price / 100}</h1><h2>for more yarn</h2></div></div></div>`,
  )
await browser.close()

async function draw(slug: string, html: string) {
  await page.setContent(`<style>${STYLE}</style>${html}`)
  await page.evaluate('document.fonts.ready')
  const drawing = await page.screenshot({ omitBackground: true })
  await sharp(drawing)
    .resize(SIDE, SIDE, { kernel: 'lanczos3' })
    .webp({ quality: 82, alphaQuality: 100, effort: 4, smartSubsample: true })
    .toFile(fileURLToPath(new URL(`../../api/db/seed/pictures/${slug}.webp`, import.meta.url)))
}
