import { describe, expect, it, test } from 'vitest'
import { metresPer100g, pricePer100m, readGrams, readMetres } from './amounts.ts'
import { readCare } from './care.ts'
import { readFibres, type Fibre } from './fibres.ts'
import { readGauge } from './gauge.ts'
import { readKind } from './kind.ts'
import { factsOf } from './product-facts.ts'
import { readHookSizes, readNeedleSizes } from './tool-sizes.ts'
import { readWeightClass } from './weight-class.ts'

/** "4", "4-5" or "4 & 6" for ranges. */
const inWords = (ranges: ({ from: number; to: number } | null)[] | null) =>
  ranges === null
    ? null
    : ranges
        .map(range =>
          range === null ? '?' : range.from === range.to ? String(range.from) : `${range.from}-${range.to}`,
        )
        .join(' & ')

describe('grams', () => {
  test.each<[string, number | null]>([
    ['50 g', 50],
    ['50g', 50],
    ['100gr', 100],
    ['100 grams', 100],
    ['100gms', 100],
    ['50gram', 50],
    ['100 grammes', 100],
    ['1 kg', 1000],
    ['0.5 kg', 500],
    ['0,5 kg', 500],
    ['12,5 g', 12.5],
    ['1,000 g', 1000],
    ['3½ oz', 99.2],
    ['3 1/2 oz', 99.2],
    ['3.5 oz', 99.2],
    ['3.5oz.', 99.2],
    ['1¾ oz', 49.6],
    ['4 oz', 113.4],
    ['8 oz', 226.8],
    ['4.5 ounces', 127.6],
    ['1 lb', 453.6],
    ['1/2 lb', 226.8],
    ['1.75 oz (50 g)', 50],
    ['50g/1.75oz', 50],
    ['50 g / 1.76 oz', 50],
    ['100 g (3.5 oz)', 100],
    ['1 oz (28 g)', 28],
    ['113 g (4 oz)', 113],
    ['2 oz / 57 g', 57],
    ['2 × 50 g', 100],
    ['2x50g', 100],
    ['2 X 50 g', 100],
    ['100 g (2 × 50 g)', 100],
    ['5 × 20 g', 100],
    ['5 skeins of 20 g', 100],
    ['5 balls of 50g', 250],
    ['5 mini-skeins 20 g', 100],
    ['5 x 20g = 100g', 100],
    ['approx. 100 g', 100],
    ['ca. 50 g', 50],
    ['Net weight: 100 g', 100],
    ['100g ball', 100],
    ['100-gram skein', 100],
    ['520 g (500 ml)', 520],
    ['', null],
    ['  ', null],
    ['a hank', null],
    ['100', null],
    ['100 m', null],
    ['16/2', null],
    ['250 ml', null],
    ['1.000 g', null],
    ['50-55 g', null],
    ['50 or 100 g', null],
    ['50 g or 100 g', null],
    ['20 g each', null],
    ['x'.repeat(501) + ' 50 g', null],
  ])('of %j are %j', (text, grams) => expect(readGrams(text)).toBe(grams))
})

describe('metres', () => {
  test.each<[string, number | null]>([
    ['400 m (437 yd)', 400],
    ['400m', 400],
    ['400 metres', 400],
    ['approx. 210m', 210],
    ['100 mts', 100],
    ['1.2 km', 1200],
    ['437 yds', 399.6],
    ['220yd', 201.2],
    ['231 yards', 211.2],
    ['1,050 yd', 960.1],
    ['437 yards/400 meters', 400],
    ['960 m (1,050 yd)', 960],
    ['about 400 yards (365 meters)', 365],
    ['600 ft', 182.9],
    ['2 × 200 m', 400],
    ['3 balls of 100 m', 300],
    ['12 cm', null],
    ['18 mm each', null],
    ['80 cm cable', null],
    ['13 cm each', null],
    ['150 cm (60 in)', null],
    ['5–7 cm', null],
    ['60, 80, 100 and 120 cm cables', null],
    ['200-220 m', null],
    ['1.000 m', null],
    ['210 m per 50 g', null],
    ['420 m/100 g', null],
    ['4-ply', null],
    ['', null],
  ])('of %j are %j', (text, metres) => expect(readMetres(text)).toBe(metres))

  it('for so many grams are multiplied', () => expect(readMetres('210 m / 50 g', 100)).toBe(420))

  test.each<[string, string, number | null]>([
    ['50 g', '105 m', 210],
    ['100 g', '400 m (437 yd)', 400],
    ['2 × 50 g', '210 m / 50 g', 420],
    ['a hank', '210 m per 50g', 420],
    ['3½ oz', '437 yds', 402.8],
    ['100 g', '12 cm', null],
    ['a hank', '400 m', null],
    ['', '', null],
  ])('in 100 g of %j and %j are %j', (weight, length, metres) => expect(metresPer100g(weight, length)).toBe(metres))

  test.each<[number, number | null, number | null]>([
    [2800, 400, 700],
    [1695, 210, 807],
    [1, 1000, 0],
    [999, 0, null],
    [999, null, null],
  ])('%i cents for %j of them are %j for 100', (price, metres, cents) =>
    expect(pricePer100m(price, { kind: 'YARN', metres })).toBe(cents),
  )

  it('are not told of for kits, which cost what else is in them, too', () =>
    expect(pricePer100m(4200, { kind: 'KIT', metres: 400 })).toBeNull())
})

describe('a gauge', () => {
  test.each<[string, string | null]>([
    ['22 sts = 4"', '22 & ?'],
    ['22 sts = 4”', '22 & ?'],
    ['22 stitches = 4 inches on US 6', '22 & ?'],
    ['18-20 sts to 4in', '18-20 & ?'],
    ['20 stitches over 10 cm', '20 & ?'],
    ['24 st / 10 cm', '24 & ?'],
    ['30–32 sts × 42 rows = 10 cm', '30-32 & 42'],
    ['22 sts x 28 rows = 4 in', '22 & 28'],
    ['22 sts and 30 rows to 4 inches', '22 & 30'],
    ['28 sts, 36 rows = 10cm', '28 & 36'],
    ['21 sts × 28 rows on 10 × 10 cm', '21 & 28'],
    ['22 sts × 30 rows = 10 cm (4")', '22 & 30'],
    ['32–36 sts × 46 rows = 10 cm, or looser for lace', '32-36 & 46'],
    ['3–4 sts × 5 rows = 10 cm', '3-4 & 5'],
    ['11 sts = 5 cm', '22 & ?'],
    ['5.5 sts per inch', '22 & ?'],
    ['5½ sts/in', '22 & ?'],
    ['6 sts to the inch', '24 & ?'],
    ['5-6 stitches per inch', '20-24 & ?'],
    ['7 spi', '28 & ?'],
    ['28 rows = 10 cm', '? & 28'],
    ['20 sts', null],
    ['22 x 30 = 10 cm', null],
    ['10 cm window', null],
    ['18 dc × 9 rows = 10 cm', null],
    ['14 sc = 4"', null],
    ['', null],
  ])('of %j is %j', (text, gauge) => {
    const read = readGauge(text)
    expect(read && inWords([read.stitches, read.rows])).toBe(gauge)
  })
})

describe('needles', () => {
  test.each<[string, string | null]>([
    ['4 mm', '4'],
    ['4.0 mm (US 6)', '4'],
    ['4mm', '4'],
    ['3,25 mm', '3.25'],
    ['5 millimetres', '5'],
    ['4.5 mm / US 7', '4.5'],
    ['US 6 / 4 mm', '4'],
    ['80 cm cable, 4 mm', '4'],
    ['4 mm, 80 cm', '4'],
    ['3.5 to 4 mm', '3.5-4'],
    ['3.5-4mm', '3.5-4'],
    ['3.5 mm - 4 mm', '3.5-4'],
    ['4 or 4.5 mm', '4 & 4.5'],
    ['2.0–10.0 mm (US 0–15)', '2-10'],
    ['2.5, 4.0 and 6.0 mm (US 1.5, 6 and 10)', '2.5 & 4 & 6'],
    ['3.75-4.5mm (US 5-7)', '3.75-4.5'],
    ['US 6', '4'],
    ['US6', '4'],
    ['US 6–8', '4-5'],
    ['US 6-8 (4-5 mm)', '4-5'],
    ['US 6 to US 8', '4-5'],
    ['US#7', '4.5'],
    ['US size 7', '4.5'],
    ['size 7 US', '4.5'],
    ['7 (US)', '4.5'],
    ['6 US', '4'],
    ['US 7, 8 and 9', '4.5 & 5 & 5.5'],
    ['US 10½', '6.5'],
    ['US 10 1/2', '6.5'],
    ['US 1½', '2.5'],
    ['US 2.5', '3'],
    ['US 000', '1.5'],
    ['US 50', '25'],
    ['25.0 mm (US 50)', '25'],
    ['UK 8', '4'],
    ['old UK 8', '4'],
    ['No. 8 UK', '4'],
    ['UK 000', '10'],
    ['#7', null],
    ['4.5', null],
    ['US 12', null],
    ['150 mm', null],
    ['90 cm wires', null],
    ['Fits up to 5.0 mm (US 8)', null],
    ['', null],
  ])('of %j have %j', (text, sizes) => expect(inWords(readNeedleSizes(text))).toBe(sizes))
})

describe('hooks', () => {
  test.each<[string, string | null]>([
    ['5.0 mm (H-8)', '5'],
    ['4.5 mm (7)', '4.5'],
    ['5.5mm/I', '5.5'],
    ['6.5 mm (K-10½)', '6.5'],
    ['US G/6 (4 mm)', '4'],
    ['2.5–6.0 mm (up to J-10)', '2.5-6'],
    ['0.75–2.0 mm (steel)', '0.75-2'],
    ['5mm', '5'],
    ['H-8', '5'],
    ['H/8', '5'],
    ['J10', '6'],
    ['US H/8', '5'],
    ['Size H-8', '5'],
    ['G-6', '4'],
    ['G-6 to I-9', '4-5.5'],
    ['I-9', '5.5'],
    ['E/4', '3.5'],
    ['B-1', '2.25'],
    ['L-11', '8'],
    ['K-10½', '6.5'],
    ['K-10 1/2', '6.5'],
    ['N/P-15', '10'],
    ['M/N-13', '9'],
    ['T/U/X-50', '25'],
    ['P/Q', '15'],
    ['H', '5'],
    ['US H', '5'],
    ['size H', '5'],
    ['H hook', '5'],
    ['US 7', '4.5'],
    ['UK 8', '4'],
    ['steel 7', null],
    ['up to J-10', null],
    ['I love it', null],
    ['A', null],
    ['hook', null],
    ['', null],
  ])('of %j have %j', (text, sizes) => expect(inWords(readHookSizes(text))).toBe(sizes))
})

describe('the weight class', () => {
  test.each<[string, number | null]>([
    ['Lace', 0],
    ['Cobweb', 0],
    ['Heavy Lace', 0],
    ['lace weight', 0],
    ['2-ply', 0],
    ['Crochet thread', 0],
    ['0 Lace', 0],
    ['Fingering', 1],
    ['Sock', 1],
    ['4-ply', 1],
    ['4ply', 1],
    ['4 Ply', 1],
    ['3 ply', 1],
    ['Fingering / Sock', 1],
    ['Light Fingering', 1],
    ['super fine', 1],
    ['Super Fine (1)', 1],
    ['Fingering (14 wpi)', 1],
    ['Skerrow 4-Ply in Storm', 1],
    ['Ninepin Sock in Marmalade', 1],
    ['Sport', 2],
    ['sport weight', 2],
    ['5-ply', 2],
    ['fine', 2],
    ['CYCA #2', 2],
    ['DK', 3],
    ['dk weight', 3],
    ['8 ply', 3],
    ['Double Knitting', 3],
    ['double knit', 3],
    ['Light Worsted', 3],
    ['Light', 3],
    ['3 Light', 3],
    ['worsted spun DK', 3],
    ['Vat Nine DK in Deep Indigo', 3],
    ['Worsted', 4],
    ['Heavy worsted', 4],
    ['Worsted / Aran', 4],
    ['Aran', 4],
    ['Aran (10-ply)', 4],
    ['10-ply', 4],
    ['Medium', 4],
    ['Medium (4)', 4],
    ['4 - Medium', 4],
    ['CYC 4', 4],
    ['Category 4', 4],
    ['Bulky', 5],
    ['bulky (5)', 5],
    ['Chunky', 5],
    ['12 ply', 5],
    ['weight 5', 5],
    ['Super Bulky', 6],
    ['Super Chunky', 6],
    ['super-bulky', 6],
    ['Jumbo', 7],
    ['ultra bulky', 7],
    ['Worsted-spun merino', null],
    ['extra-fine merino', null],
    ['DK or worsted', null],
    ['Baby', null],
    ['Roving', null],
    ['14 ply', null],
    ['Needles', null],
    ['14-plyable', null],
    ['', null],
  ])('of %j is %j', (text, weight) => expect(readWeightClass(text)).toBe(weight))
})

describe('fibres', () => {
  const inWords = (fibres: Fibre[] | null) =>
    fibres && fibres.map(({ fibre, percent }) => `${percent ?? '?'} ${fibre?.toLowerCase() ?? 'unknown'}`).join(', ')

  test.each<[string, string | null]>([
    ['100% wool', '100 wool'],
    ['80% Merino, 20% Nylon', '80 merino, 20 nylon'],
    ['75% superwash merino, 25% nylon', '75 merino, 25 nylon'],
    ['80 % merino wool / 20 % polyamide', '80 merino, 20 nylon'],
    ['80% Merino 20% Nylon', '80 merino, 20 nylon'],
    ['Merino 80%, Nylon 20%', '80 merino, 20 nylon'],
    ['Superwash merino wool 100%', '100 merino'],
    ['wool/nylon 75/25', '75 wool, 25 nylon'],
    ['75/25 merino/nylon', '75 merino, 25 nylon'],
    ['100 percent linen', '100 linen'],
    ['70% baby alpaca, 30% mulberry silk', '70 alpaca, 30 silk'],
    ['60% bamboo viscose, 40% cotton', '60 bamboo, 40 cotton'],
    ['100% superwash bluefaced Leicester', '100 bluefaced_leicester'],
    ['100% BFL', '100 bluefaced_leicester'],
    ['72% kid mohair & 28% silk', '72 mohair, 28 silk'],
    ['55% linen + 45% cotton', '55 linen, 45 cotton'],
    ['65% merino; 20% yak; 15% silk', '65 merino, 20 yak, 15 silk'],
    ['80% recycled cotton, 20% recycled polyester', '80 cotton, 20 polyester'],
    ['95% recycled cotton, 5% elastane', '95 cotton, 5 elastane'],
    ['100% Tencel lyocell', '100 lyocell'],
    ['60% wool, 30% merino, 10% viscose', '60 wool, 30 merino, 10 viscose'],
    ['40% wool 40% wool 20% silk', '80 wool, 20 silk'],
    ['33% wool, 33% silk, 33% alpaca', '33 wool, 33 silk, 33 alpaca'],
    ['50% merino, 50% unobtainium', '50 merino, 50 unknown'],
    ['90% wool, 10% other fibres', '90 wool, 10 unknown'],
    ['Merino and silk', '? merino, ? silk'],
    ['Cotton/linen blend', '? cotton, ? linen'],
    ['Wool', '? wool'],
    ['Pure new wool', '100 wool'],
    ['80% wool, 30% nylon', null],
    ['50% merino', null],
    ['Stainless steel', null],
    ['100% Wolle', null],
    ['', null],
  ])('of %j are %j', (text, fibres) => expect(inWords(readFibres(text))).toBe(fibres))
})

describe('care', () => {
  test.each<[string, string, string | null, boolean | null]>([
    ['Hand wash cool. Dry flat.', '', 'HAND', null],
    ['Hand-wash cold', '', 'HAND', null],
    ['Wash by hand', '', 'HAND', null],
    ['Machine wash at 30 °C.', '', 'MACHINE', null],
    ['Machine washable', '', 'MACHINE', null],
    ['Wash in the machine at 30', '', 'MACHINE', null],
    ['Hand wash or machine wash on wool cycle', '', 'MACHINE', null],
    ['Dry clean only', '', 'DRY_CLEAN', null],
    ['Superwash. Machine wash, gentle cycle', '', 'MACHINE', true],
    ['Machine wash cool on a wool cycle.', '75% superwash merino, 25% nylon', 'MACHINE', true],
    ['Hand wash cool.', '100% non-superwash Corriedale', 'HAND', false],
    ['Hand wash.', '100% untreated wool', 'HAND', false],
    ['Do not machine wash', '', null, null],
    ['Never machine wash; hand wash', '', 'HAND', null],
    ['Not machine washable. Hand wash.', '', 'HAND', null],
    ['Don’t machine wash', '', null, null],
    ['Wash at 30°C', '', null, null],
    ['Wipe clean.', '', null, null],
    ['', '', null, null],
  ])('of %j with %j is %j, superwash %j', (text, content, washing, superwash) =>
    expect(readCare(text, content)).toEqual({ washing, superwash }),
  )
})

describe('the kind', () => {
  test.each<[string, string, string | null]>([
    ['DK', 'Tarnbeck DK in Moss', 'YARN'],
    ['Yarn', 'Moss', 'YARN'],
    ['Sock yarn', 'Moss', 'YARN'],
    ['Needles', 'Osier House Rosewood Circular, 4.0 mm', 'NEEDLES'],
    ['Tools', 'Bamboo DPNs, 2.5 mm', 'NEEDLES'],
    ['Crochet Hooks', 'Olivewood', 'HOOK'],
    ['Tools', 'Steel hook', 'HOOK'],
    ['Kits', 'Market Bag Crochet Kit', 'KIT'],
    ['', 'Night Train Sock Kit', 'KIT'],
    ['Kits', 'Sock Kit with pattern', 'KIT'],
    ['Patterns', 'Rib Hat', 'PATTERN'],
    ['Books & Patterns', 'A Year of Hats', 'PATTERN'],
    ['', 'Cable Needle Sock Pattern', 'PATTERN'],
    ['', 'Magnetic Pattern Holder', 'NOTION'],
    ['Gift cards', 'For a Knitter', 'GIFT_CARD'],
    ['', 'Gift Voucher for a Sock Kit', 'GIFT_CARD'],
    ['Notions', 'Gift Card Envelope', 'NOTION'],
    ['', 'Gift Bag', 'NOTION'],
    ['Fingering', 'Pattern Weaver Sock', 'YARN'],
    ['Notions', 'Darning Needles in a Copper Tin', 'NOTION'],
    ['Tools', 'Swan-Neck Cable Needles', 'NOTION'],
    ['', 'Maple Gauge Ruler & Needle Sizer', 'NOTION'],
    ['', 'Stitch Markers', 'NOTION'],
    ['', 'Row Counter', 'NOTION'],
    ['', 'Wool Wash, Lavender', 'NOTION'],
    ['', 'Hook case', 'NOTION'],
    ['', 'Hand-dyed hank', 'YARN'],
    ['', 'Gift wrapping', null],
    ['', '', null],
  ])('of %j, %j is %j', (category, name, kind) =>
    expect(readKind({ category, name, weight: '', length: '' })).toBe(kind),
  )

  it('of what has grams and metres is yarn', () =>
    expect(readKind({ category: 'New', name: 'Moss', weight: '50 g', length: '105 m' })).toBe('YARN'))
})

it('of a pattern are its gauge and sizes, and not the colours of the paper in its picture', () => {
  const texts = {
    name: 'Rib Hat',
    description: '',
    weight: '30 g',
    length: '21 m',
    gauge: '20 sts × 28 rows = 10 cm',
    knittingNeedle: '4.5 mm',
    crochetHook: '',
    recommendedCare: '',
    content: 'Three sizes',
    category: 'Patterns',
  }
  const white = {
    image: '/images/hat.webp',
    reading: 2,
    colours: [{ hex: '#ffffff', family: 'WHITE' as const }],
    family: 'WHITE' as const,
  }
  expect(factsOf(texts, {}, white)).toMatchObject({
    kind: 'PATTERN',
    stitches: { from: 20, to: 20 },
    needles: [{ from: 4.5, to: 4.5 }],
    colours: [],
    colourFamilies: [],
    grams: null,
    metres: null,
  })
  expect(factsOf({ ...texts, category: 'DK' }, {}, white)).toMatchObject({ kind: 'YARN', colourFamilies: ['WHITE'] })
})

it('reads the longest worst text in no time', () => {
  const pieces = [
    '1',
    '1 ',
    '1.',
    '1,',
    '1-',
    '1/2 ',
    '½',
    '2 x ',
    '1 mm,',
    '1 and ',
    'us 1,',
    '5% ',
    'a/',
    'super ',
    'h-8 ',
    ' ',
    '"',
    '= 10',
    'machine ',
    'é',
    '\u0301',
  ]
  for (const piece of pieces) {
    for (const length of [499, 100_000]) {
      const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
      const before = process.threadCpuUsage()
      for (const read of [
        readGrams,
        readMetres,
        readGauge,
        readNeedleSizes,
        readHookSizes,
        readWeightClass,
        readFibres,
        readCare,
      ])
        read(text)
      readKind({ category: text, name: text, weight: text, length: text })
      const { user, system } = process.threadCpuUsage(before)
      expect([piece, length, (user + system) / 1_000]).toEqual([
        piece,
        length,
        expect.toSatisfy((ms: number) => ms < 200),
      ])
    }
  }
})
