// What the sample shop has to download: patterns that can be knitted, written for it.

import type { SampleProduct } from './catalogue.ts'

interface Part {
  heading: string
  paragraphs: readonly string[]
  /** Squares from the top row down, by their letters in `CHART_COLOURS`. */
  chart?: readonly string[]
}

export interface SamplePattern extends SampleProduct {
  /** The product that comes with it, too. */
  kit: string
  parts: readonly Part[]
}

/** Which of the pattern's colours each letter of a chart stands for. */
export const CHART_COLOURS: ReadonlyMap<string, number> = new Map([
  ['f', 0],
  ['t', 1],
  ['.', 2],
  ['o', 3],
])

/** Seven stitches and nine rounds, read from the top. */
export const FOX = ['f.....f', 'ff...ff', 'fffffff', 'fofffof', 'fffffff', '.ffoff.', '..fff..', '...f...', '.......']
export const FIR = ['...t...', '..ttt..', '.ttttt.', '..ttt..', '.ttttt.', 'ttttttt', '...t...', '.......', '.......']

const shared = {
  weight: '',
  length: '',
  crochetHook: '',
  category: 'Patterns',
  countInStock: 1_000_000,
  isDownload: true,
}

const ABBREVIATIONS: Part = {
  heading: 'Abbreviations',
  paragraphs: [
    'k: knit. p: purl. k2tog: knit two together. p2tog: purl two together. ssk: slip two one after the other as if to knit, then knit both through the back. st, sts: stitch, stitches. Between * and *: repeat to the end.',
  ],
}

export const patterns: SamplePattern[] = [
  {
    ...shared,
    slug: 'pattern-first-hat',
    name: 'First Hat Pattern',
    description:
      'A hat with a ribbed brim and the courage to start one, for two colours of Fellwright Worsted and a 40 cm circular. Written the way we’d say it across the counter. Yours to download as soon as it is paid.',
    gauge: '19 sts × 26 rows = 10 cm',
    knittingNeedle: '4.5 mm (US 7)',
    recommendedCare: 'Hand wash the finished hat cool. Dry it over a bowl.',
    content: 'Six sizes, from baby to broad-minded',
    price: 600,
    picture: { shape: 'leaflet', colours: ['#d0a02c', '#4d5a66', '#b98c1f'] },
    kit: 'kit-first-hat',
    parts: [
      {
        heading: 'What you need',
        paragraphs: [
          'Fellwright Worsted, one skein each of mustard and slate. A 40 cm circular needle of 4.5 mm, five double points of the same size for the crown, a stitch marker, and a blunt needle for the ends.',
          'Six sizes, for heads of 38 (42, 46, 50, 54, 60) cm. The hat is a little smaller than the head, so that it stays there.',
        ],
      },
      {
        heading: 'Brim',
        paragraphs: [
          'With slate cast on 64 (72, 80, 88, 96, 104) sts. Join to a round without a twist in it, and place the marker.',
          'Rib in two colours: *k2 with mustard, p2 with slate*, and let whichever rests hang loosely behind. Go on for 4 (4, 5, 5, 6, 6) cm.',
        ],
      },
      {
        heading: 'Sides',
        paragraphs: [
          'Change to plain knitting. Two rounds of mustard, one of slate, two of mustard, two of slate. Cut slate; all that follows is mustard.',
          'Knit until the hat measures 11 (13, 15, 16, 17, 18) cm from where you cast on.',
        ],
      },
      {
        heading: 'Crown',
        paragraphs: [
          'First round: *k6, k2tog*. Next round: knit. Then *k5, k2tog*, and knit a round; *k4, k2tog*, and knit a round; and so on, with one stitch fewer before each k2tog, until you have worked *k2tog* all the way round. Move to the double points when the circular gets too long.',
          '8 (9, 10, 11, 12, 13) sts are left. Cut the yarn, draw it through them twice, and pull. Darn in the ends on the inside.',
        ],
      },
      {
        heading: 'If a stitch drops',
        paragraphs: [
          'Stop, breathe, and find it: wool clings, and it has not gone far. Catch it with a hook, climb the ladder a rung at a time from the front, and put it back with its right leg before the needle.',
        ],
      },
      ABBREVIATIONS,
    ],
  },
  {
    ...shared,
    slug: 'pattern-night-train-socks',
    name: 'Night Train Socks Pattern',
    description:
      'Plain stripes and a heel without tears: top-down socks on five double points, for three colours of Ninepin Sock. We’ll answer the phone if you get stuck at the gusset. Yours to download as soon as it is paid.',
    gauge: '32 sts × 44 rows = 10 cm',
    knittingNeedle: '2.5 mm (US 1.5)',
    recommendedCare: 'Machine wash the finished socks cool. Dry flat.',
    content: 'Three sizes, for one pair',
    price: 650,
    picture: { shape: 'leaflet', colours: ['#27305a', '#6d3763', '#cc3a30'] },
    kit: 'kit-striped-socks',
    parts: [
      {
        heading: 'What you need',
        paragraphs: [
          'Ninepin Sock, or any sock yarn of 400 m to 100 g: 50 g of midnight, 50 g of plum and 20 g of red. Five double points of 2.5 mm.',
          'Three sizes, for feet of 20 (23, 25) cm around.',
        ],
      },
      {
        heading: 'Leg',
        paragraphs: [
          'With midnight cast on 56 (64, 72) sts, divide them among four needles and join. Rib in two colours: *k2 with midnight, p2 with plum* for 4 cm.',
          'Then knit stripes: four rounds of midnight, three of plum, two of red, over and over, until the sock measures 16 (18, 20) cm. End behind the red.',
        ],
      },
      {
        heading: 'Heel',
        paragraphs: [
          'The heel is midnight, to and fro over the first 28 (32, 36) sts. Right side: *slip 1, k1*. Wrong side: slip 1, purl to the end. Work 28 (32, 36) rows.',
          'Turn it. Row 1: k16 (18, 20), ssk, k1, turn. Row 2: slip 1, p5, p2tog, p1, turn. Row 3: slip 1, knit to 1 before the gap, ssk, k1, turn. Row 4: slip 1, purl to 1 before the gap, p2tog, p1, turn. Repeat rows 3 and 4 until no stitches wait at the sides: 16 (18, 20) sts.',
        ],
      },
      {
        heading: 'Gusset and foot',
        paragraphs: [
          'Knit across the heel, pick up 15 (17, 19) sts along its edge, knit the stitches of the instep, pick up as many along the other edge. Take up the stripes again.',
          'Every other round: k2tog at the end of the sole before the instep, ssk at its beginning behind it, until there are 56 (64, 72) sts again. Knit until the foot is 5 cm shorter than it should be.',
        ],
      },
      {
        heading: 'Toe',
        paragraphs: [
          'In midnight. Every other round take four stitches off: k1, ssk at the beginning of sole and instep, k2tog, k1 at their end. From 28 (32, 36) sts on, do so every round, until 16 are left. Graft them together.',
          'Now the other one.',
        ],
      },
      ABBREVIATIONS,
    ],
  },
  {
    ...shared,
    slug: 'pattern-fox-mittens',
    name: 'Fox & Fir Mittens Pattern',
    description:
      'Stranded mittens with foxes and firs around each hand. The chart is printed large, and the thumb is easier than it looks. For four colours of Skerrow 4-Ply, or of any Shetland that clings to itself. Yours to download as soon as it is paid.',
    gauge: '30 sts × 34 rows = 10 cm',
    knittingNeedle: '2.75 mm (US 2)',
    recommendedCare: 'Hand wash the finished mittens cool. Dry flat.',
    content: 'Two sizes, left and right alike',
    price: 700,
    picture: { shape: 'leaflet', colours: ['#b4552a', '#2f5a43', '#efe6d3', '#23201e'] },
    kit: 'kit-fox-mittens',
    parts: [
      {
        heading: 'What you need',
        paragraphs: [
          'Skerrow 4-Ply, or another fingering weight of Shetland: 40 g of cream, 25 g each of russet and fir, and one small length of black for noses and eyes. Double points of 2.75 mm, and a piece of other yarn.',
          'Two sizes, for hands of 18 (22) cm around.',
        ],
      },
      {
        heading: 'Cuff',
        paragraphs: [
          'With fir cast on 56 (70) sts and join. Rib in two colours: *k1 with fir, p1 with cream* for 5 cm. Knit a round of cream.',
        ],
      },
      {
        heading: 'Foxes',
        paragraphs: ['Russet on cream; the dots are black. Read each chart from the bottom, from right to left.'],
        chart: FOX,
      },
      {
        heading: 'Firs',
        paragraphs: ['Fir on cream. Knit firs, foxes, and firs again, each 8 (10) times around.'],
        chart: FIR,
      },
      {
        heading: 'Thumb',
        paragraphs: [
          'When the hand measures 6 (7) cm above the cuff: knit the next 9 (11) sts with the other yarn, slide them back to the left needle, and knit them again as the chart says. Both mittens are alike, for a thumb sits at the side.',
          'At the end take the other yarn out, and pick up the 18 (22) sts that it held and one at each corner. Knit 5.5 (6.5) cm in russet, then k2tog all around, twice; draw the yarn through what is left.',
        ],
      },
      {
        heading: 'Top',
        paragraphs: [
          'When the hand measures 15 (18) cm above the cuff, divide the round in two. At the beginning of each half k1, ssk; at its end k2tog, k1; so with every round, in cream, until 8 (10) sts are left. Draw the yarn through them.',
        ],
      },
      ABBREVIATIONS,
    ],
  },
]
