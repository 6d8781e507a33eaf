/**
 * Makes the sample products' pictures: Blender shoots undyed wool and tools, dye.py dyes and develops, sharp packs.
 *
 *   npx tsx tools/seed-pictures/render.ts                 what is missing
 *   npx tsx tools/seed-pictures/render.ts --all           everything again
 *   npx tsx tools/seed-pictures/render.ts SLUG [SLUG …]   these again
 *   … --develop                                            dye again from shots already taken
 *   … --view=swatch                                        only these: product, swatch or ply
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { readHookSizes, readNeedleSizes } from '#schema/rules/facts/tool-sizes'
import { nth, present } from '#schema/rules/present'
import { catalogue, type SampleProduct } from '../../api/db/seed/catalogue.ts'
import { swatches, swatchOf } from '../../api/db/seed/swatches.ts'
import { bandSheet, openPress, type Press, rulerSheet } from './prints.ts'
import { swatchPlan } from './swatch-plan.ts'

const run = promisify(execFile)
const here = dirname(fileURLToPath(import.meta.url))
const pictures = fileURLToPath(new URL('../../api/db/seed/pictures/', import.meta.url))
const scratch = process.env.SKEIN_PICTURES_SCRATCH ?? join(tmpdir(), 'pictures')
const size = 1000
const shotSize = Number(process.env.SKEIN_PICTURES_SHOT ?? size)
type Picture = SampleProduct['picture']

const VIEWS = ['product', 'swatch', 'ply'] as const
type View = (typeof VIEWS)[number]

const mostBytes: Record<View, number> = { product: 210_000, swatch: 120_000, ply: 100_000 }
const suffix: Record<View, string> = { product: '', swatch: '-swatch', ply: '-ply' }

/** A shot of undyed wool (shared by many colourways) or of one tool. */
interface Shot {
  name: string
  shape: string
  seed: number
  [setting: string]: unknown
}

interface WoolShot {
  strand: number
  fuzz: number
  plies: number
  seed?: number
  yaw?: number
  roll?: number
  count?: number
  paper?: string
}

/** Shots taken for each shape. A colourway uses the nearest in thickness and fuzz; equally near ones take turns. */
const woolShots: Record<string, WoolShot[]> = {
  hank: [
    { strand: 0.6, fuzz: 0.15, plies: 2, yaw: 34, roll: 45 },
    { strand: 0.63, fuzz: 0.16, plies: 3, yaw: -26, roll: 40, paper: '#d9cdb6' },
    { strand: 0.65, fuzz: 0.36, plies: 2, yaw: 16, roll: 222, paper: '#d8c6a4' },
    { strand: 0.85, fuzz: 0.18, plies: 4, yaw: -34, roll: 215, paper: '#e2dccd' },
    { strand: 0.8, fuzz: 0.2, plies: 3, yaw: 26, roll: 48, paper: '#dccdb0' },
    { strand: 1, fuzz: 0.13, plies: 4, yaw: 28, roll: 225, paper: '#d6c8ad' },
    { strand: 1.07, fuzz: 0.45, plies: 3, yaw: -18, roll: 40, paper: '#d5c09b' },
    { strand: 1.6, fuzz: 0.28, plies: 2, yaw: 40, roll: 40, paper: '#dacaa9' },
    { strand: 0.45, fuzz: 0.48, plies: 2, yaw: -32, roll: 220, paper: '#ddd2bd' },
    { strand: 2.3, fuzz: 0.45, plies: 1, yaw: 22, roll: 45, paper: '#d9cbb0' },
  ],
  skein: [
    { strand: 0.64, fuzz: 0.1, plies: 4, yaw: 36 },
    { strand: 0.85, fuzz: 0.38, plies: 2, yaw: -24, paper: '#d8c6a4' },
    { strand: 1.05, fuzz: 0.36, plies: 3, yaw: 30, paper: '#d5c09b' },
    { strand: 1.6, fuzz: 0.5, plies: 2, yaw: -32, paper: '#dacaa9' },
    { strand: 2.3, fuzz: 0.3, plies: 2, yaw: 22 },
  ],
  ball: [
    { strand: 0.6, fuzz: 1, plies: 2, yaw: 20 },
    { strand: 0.6, fuzz: 0.45, plies: 2, yaw: -14 },
    { strand: 0.75, fuzz: 0.06, plies: 4, yaw: 26 },
    { strand: 0.85, fuzz: 0.6, plies: 3, yaw: 10 },
    { strand: 1.6, fuzz: 0.42, plies: 2, yaw: -20 },
    { strand: 2.3, fuzz: 0.04, plies: 3, yaw: 16 },
    { strand: 3.2, fuzz: 0.5, plies: 1, yaw: -12 },
  ],
  cake: [
    { strand: 0.55, fuzz: 0.13, plies: 2 },
    { strand: 1, fuzz: 0.22, plies: 3 },
    { strand: 1.6, fuzz: 0.6, plies: 2 },
    { strand: 3.2, fuzz: 0.5, plies: 1 },
  ],
  cone: [
    { strand: 0.45, fuzz: 0.08, plies: 2 },
    { strand: 0.9, fuzz: 0.08, plies: 3 },
  ],
  'mini-set': [
    { strand: 0.6, fuzz: 0.2, plies: 2, count: 5 },
    { strand: 0.7, fuzz: 0.2, plies: 3, count: 6 },
  ],
  'ball-pair': [
    { strand: 0.7, fuzz: 0.08, plies: 4 },
    { strand: 1.15, fuzz: 0.5, plies: 2 },
  ],
}

const hairs = (fuzz: number): number => Math.round(6_000 + 110_000 * fuzz ** 1.2)
const hairLength = (fuzz: number): number => 0.035 + 0.05 * fuzz + 0.07 * fuzz ** 3

function woolShot(shape: string, index: number): Shot {
  const { fuzz, ...rest } = nth(present(woolShots[shape]), index)
  return {
    name: `${shape}-${index}`,
    shape,
    seed: 11 + index * 7,
    hair: hairs(fuzz),
    hair_length: hairLength(fuzz),
    ...rest,
  }
}

function toolShot(product: SampleProduct, variant: number): Shot {
  const { shape, colours, strand = 1, fuzz = 0.2 } = product.picture
  return {
    name: product.slug,
    shape,
    colours,
    strand,
    plies: 3,
    seed: 3 + variant,
    variant,
    mm: [...(readNeedleSizes(product.knittingNeedle) ?? []), ...(readHookSizes(product.crochetHook) ?? [])][0]?.from,
    hair: hairs(fuzz),
    hair_length: hairLength(fuzz),
  }
}

/** Close-ups of yarn. A colourway uses the nearest in plies (of its swatch) and fuzz; plies count more. */
const plyShots: readonly { plies: number; fuzz: number }[] = [
  { plies: 1, fuzz: 0.5 },
  { plies: 2, fuzz: 0.12 },
  { plies: 2, fuzz: 0.4 },
  { plies: 2, fuzz: 1 },
  { plies: 3, fuzz: 0.08 },
  { plies: 3, fuzz: 0.35 },
  { plies: 4, fuzz: 0.1 },
]

function plyShot({ picture }: SampleProduct, plies: number): Shot {
  const unlike = (shot: (typeof plyShots)[number]) =>
    Math.abs(shot.plies - plies) * 2 + Math.abs((picture.fuzz ?? 0.2) - shot.fuzz)
  const shot = nth(
    plyShots.toSorted((a, b) => unlike(a) - unlike(b)),
    0,
  )
  const { fuzz } = shot
  return {
    ...shot,
    name: `ply-${shot.plies}-${Math.round(fuzz * 100)}`,
    shape: 'ply',
    seed: 5,
    samples: 2,
    bounces: 1,
    frame: 0.5,
    hair: Math.round(150 + 3_200 * fuzz ** 1.3),
    hair_length: 0.05 + 0.12 * fuzz,
  }
}

function swatchShot(swatch: (typeof swatches)[number]): Shot {
  const { stitches, fuzz, plies } = swatch
  return {
    name: `swatch-${swatches.indexOf(swatch)}`,
    shape: 'swatch',
    seed: stitches,
    plies,
    hair: Math.round(hairs(fuzz) / 3),
    hair_length: hairLength(fuzz),
    samples: 2,
    bounces: 1,
    ...swatchPlan(swatch),
  }
}

/** How different a colourway's yarn is from a shot's; thickness shows more than fuzz. */
function unlike(picture: Picture, shot: WoolShot): number {
  const count = shot.count && shot.count !== picture.colours.length ? 10 : 0
  return (
    Math.abs(Math.log((picture.strand ?? 1) / shot.strand)) * 2 + Math.abs((picture.fuzz ?? 0.2) - shot.fuzz) + count
  )
}

/** With --make-do only shots already taken are used: a complete set while others are still to come. */
const makeDo = process.argv.includes('--make-do')

/** Which shot each picture is developed from. */
function planView(view: View): Map<string, Shot> {
  if (view === 'product') return planShots()
  const yarns = catalogue.flatMap(product => {
    const swatch = swatchOf(product)
    return swatch ? [{ product, swatch }] : []
  })
  return new Map(
    yarns.map(({ product, swatch }) => [
      product.slug,
      view === 'swatch' ? swatchShot(swatch) : plyShot(product, swatch.plies),
    ]),
  )
}

/** Chooses each product's shot; of shots nearly as good, the one used least, so that neighbours differ. */
function planShots(): Map<string, Shot> {
  const plan = new Map<string, Shot>()
  const used = new Map<string, number>()
  for (const product of catalogue) {
    const { shape } = product.picture
    const shots = woolShots[shape]
    const times = used.get(shape) ?? 0
    used.set(shape, times + 1)
    if (!shots) {
      plan.set(product.slug, toolShot(product, times))
      continue
    }
    const scored = shots
      .map((shot, index) => ({ index, cost: unlike(product.picture, shot) }))
      .filter(({ index }) => !makeDo || existsSync(passesOf(woolShot(shape, index))))
    if (!scored.length) continue
    const best = Math.min(...scored.map(s => s.cost))
    const near = scored.filter(s => s.cost <= best + 0.09)
    near.sort(
      (a, b) => (used.get(`${shape}-${a.index}`) ?? 0) - (used.get(`${shape}-${b.index}`) ?? 0) || a.cost - b.cost,
    )
    const shot = woolShot(shape, nth(near, 0).index)
    used.set(shot.name, (used.get(shot.name) ?? 0) + 1)
    plan.set(product.slug, shot)
  }
  return plan
}

function passesOf(shot: Shot): string {
  return join(scratch, 'shots', `${shot.name}.npz`)
}

async function take(shot: Shot): Promise<void> {
  const plan = JSON.stringify({ samples: 3, ...shot, size: shotSize, out: passesOf(shot) })
  const { stdout } = await run(
    'nice',
    ['-n', '19', 'blender', '-b', '-t', '1', '--python-exit-code', '1', '-P', join(here, 'shoot.py'), '--', plan],
    { maxBuffer: 1 << 26 },
  )
  console.log(stdout.split('\n').find(line => line.startsWith('SHOT')) ?? `${shot.name}: no word from Blender`)
}

/** Dyes every colourway of one shot in one go: cleaning the shot is the expensive part. */
async function develop(products: SampleProduct[], shot: Shot, view: View): Promise<void> {
  const raw = (product: SampleProduct): string => join(scratch, `${product.slug}${suffix[view]}.rgba`)
  const press = await openPress()
  const orders: object[] = []
  for (const product of products) {
    const { picture, slug } = product
    const set = picture.shape === 'mini-set' || picture.shape === 'ball-pair'
    orders.push({
      ...picture,
      out: raw(product),
      slug,
      shape: shot.shape,
      set,
      print: await printOn(press, product, view),
    })
  }
  await press.close()
  await run('nice', ['-n', '19', '/usr/bin/python3', join(here, 'dye.py'), passesOf(shot), JSON.stringify(orders)])
  for (const product of products) {
    await pack(raw(product), join(pictures, `${product.slug}${suffix[view]}.webp`), view)
    rmSync(raw(product))
  }
}

/** Writes what is printed on the band or the ruler to a file. */
async function printOn(press: Press, product: SampleProduct, view: View): Promise<object | null> {
  const sheet = view === 'swatch' ? rulerSheet() : view === 'product' ? bandSheet(product) : null
  if (!sheet) return null
  const { data, ...print } = await press.draw(sheet)
  const file = join(scratch, `${product.slug}${suffix[view]}.ink`)
  writeFileSync(file, data)
  return { ...print, file }
}

/** Packs at quality 82, and lower only where fine fibre makes the file too large; the finest is softened a little. */
async function pack(raw: string, out: string, view: View): Promise<void> {
  const pixels = readFileSync(raw)
  const side = Math.sqrt(pixels.length / 4)
  // Alpha is lossless where possible: reduced alpha shows as steps in the shadow. Fuzz hides the steps.
  for (const [quality, alphaQuality, soften] of [
    [82, 100, 0],
    [74, 100, 0],
    [68, 95, 0],
    [60, 88, 0],
    [54, 80, 0],
    [56, 80, 0.6],
    [48, 60, 0.8],
    [42, 30, 1],
  ] as const) {
    const picture = sharp(pixels, { raw: { width: side, height: side, channels: 4 } })
    // Swatches and plies fill the picture, so it needs no alpha.
    const sized = (view === 'product' ? picture : picture.removeAlpha()).resize(size, size, { kernel: 'lanczos3' })
    const info = await (soften ? sized.blur(soften) : sized)
      .webp({ quality, alphaQuality, effort: 4, smartSubsample: true })
      .toFile(out)
    if (info.size <= mostBytes[view]) return
  }
}

/** How many shots are taken at a time, with one thread of Blender each. */
const atOnce = Number(process.env.SKEIN_PICTURES_AT_ONCE ?? 2)

async function sideBySide<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items]
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await work(item).catch(complain(item))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

const complain = (item: unknown) => (error: Error) =>
  console.error(`FAILED ${JSON.stringify(item).slice(0, 120)}\n${error.message.slice(-1500)}`)

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  const slugs = args.filter(a => !a.startsWith('--'))
  const anew = args.includes('--all') || slugs.length > 0
  const only = args.find(a => a.startsWith('--view='))?.slice('--view='.length)
  const keep = args.includes('--develop') || !anew
  mkdirSync(join(scratch, 'shots'), { recursive: true })
  for (const view of VIEWS) {
    if (only && only !== view) continue
    const plan = planView(view)
    const groups = new Map<string, { shot: Shot; products: SampleProduct[] }>()
    for (const product of catalogue) {
      const wanted = slugs.length
        ? slugs.includes(product.slug)
        : anew || !existsSync(join(pictures, `${product.slug}${suffix[view]}.webp`))
      const shot = plan.get(product.slug)
      if (!wanted || !shot || (makeDo && !existsSync(passesOf(shot)))) continue
      const group = groups.get(shot.name) ?? { shot, products: [] }
      group.products.push(product)
      groups.set(shot.name, group)
    }
    // The shots that serve most colourways come first, so that a run cut short leaves few gaps.
    const queue = [...groups.values()].sort((a, b) => b.products.length - a.products.length)
    // Each shot is dyed while the next one is taken.
    let dyed = Promise.resolve()
    await sideBySide(queue, async ({ shot, products }) => {
      if (!keep || !existsSync(passesOf(shot))) await take(shot)
      dyed = dyed.then(() => develop(products, shot, view)).catch(complain(shot))
    })
    await dyed
  }
}

await main()
