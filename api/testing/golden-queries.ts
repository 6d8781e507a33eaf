// What knitters type, and what a shop that understands them shows. Written from how people speak, against the sample
// catalogue: a query that fails is a reason to add a rule to the search, never to add the query itself.
import type { SampleProduct } from '../db/seed/catalogue.ts'

type Judge = (product: SampleProduct) => boolean

const SUPPLIES = ['Needles', 'Crochet Hooks', 'Notions', 'Kits']
const yarn: Judge = ({ category }) => !SUPPLIES.includes(category)
const weighs =
  (...categories: string[]): Judge =>
  ({ category }) =>
    categories.includes(category)
const of =
  (fibre: RegExp): Judge =>
  product =>
    yarn(product) && fibre.test(product.content)
const madeOf =
  (material: RegExp): Judge =>
  ({ content }) =>
    material.test(content)
const named =
  (name: RegExp): Judge =>
  product =>
    name.test(product.name)
const says =
  (words: RegExp): Judge =>
  ({ name, description, content, category }) =>
    words.test(`${name}\n${category}\n${content}\n${description}`)
const cared =
  (words: RegExp): Judge =>
  ({ recommendedCare }) =>
    words.test(recommendedCare)
const both =
  (...judges: Judge[]): Judge =>
  product =>
    judges.every(judge => judge(product))
const only =
  (...slugs: string[]): Judge =>
  ({ slug }) =>
    slugs.includes(slug)

const superwash: Judge = product => of(/superwash/i)(product) && !/non-superwash/i.test(product.content)
const needles = weighs('Needles')
const hooks = weighs('Crochet Hooks')
const kits = weighs('Kits')
const wool = /wool|merino|shetland|romney|corriedale|leicester|jacob/i

const group = (judge: Judge, ...queries: string[]) => queries.map(query => ({ query, finds: judge }))

export interface GoldenQuery {
  query: string
  finds: Judge
}

export const goldenQueries: GoldenQuery[] = [
  // Names, makers and colourways.
  ...group(named(/^Ninepin Sock/), 'ninepin sock', 'Ninepin Socks', 'sock ninepin', 'NINEPIN SOCK'),
  ...group(
    only('ninepin-marmalade'),
    'ninepin marmalade',
    'marmalade',
    'sock in marmalade',
    'marmalade sock yarn',
    'marmelade',
    '"sock in marmalade"',
  ),
  ...group(named(/Papermoth/), 'papermoth', 'paper moth', 'papermoth mohair', 'mohair papermoth silk', 'papermoht'),
  ...group(named(/Tarnbeck/), 'tarnbeck', 'tarnbek', 'Tarnbeck yarn'),
  ...group(only('tarnbeck-moss'), 'tarnbeck moss', 'tarnbeck dk moss', 'moss tarnbeck'),
  ...group(named(/Great Loaf/), 'great loaf', 'great loaf jumbo', 'greatloaf'),
  ...group(named(/Vat Nine/), 'vat nine', 'vat nine dk', 'vatnine'),
  ...group(only('vat-nine-deep-indigo'), 'deep indigo', 'vat nine deep indigo', 'indgo deep'),
  ...group(named(/Doorstep/), 'doorstep', 'doorstep merino', 'door step merino', 'dorstep'),
  ...group(named(/Fellwright Worsted/), 'fellwright', 'fellwright worsted', 'felwright'),
  ...group(named(/Skerrow/), 'skerrow', 'skerrow 4 ply', 'skerow'),
  ...group(named(/Altamesa/), 'altamesa', 'altamesa alpaca', 'alta mesa'),
  ...group(named(/Harbourmaster/), 'harbourmaster', 'harbour master', 'harbormaster', 'harbourmaster aran'),
  ...group(only('harbourmaster-gansey-navy'), 'gansey navy', 'navy gansey', 'gansey'),
  ...group(named(/Second Spin/), 'second spin', 'secondspin'),
  ...group(named(/Flaxwright/), 'flaxwright', 'flaxwright linen'),
  ...group(only('kit-fox-mittens'), 'fox mittens', 'fox and fir', 'fox & fir', 'mitten kit', 'mittens kit', 'fox'),
  ...group(only('kit-striped-socks'), 'night train', 'sock kit', 'socks kit', 'night train socks'),
  ...group(only('kit-first-hat'), 'hat kit', 'first hat', 'beginner hat kit'),
  ...group(only('kit-market-bag'), 'market bag kit', 'crochet kit', 'market bag crochet'),
  ...group(kits, 'kits', 'kit'),
  ...group(only('quillwort-smoke'), 'quillwort', 'yak', 'merino yak', 'yak yarn'),
  ...group(only('cobwren-moorit'), 'moorit lace', 'cobwren', 'shetland lace'),
  ...group(only('moonmoth-aubergine'), 'aubergine lace', 'moonmoth', 'moon moth'),
  ...group(named(/Minis/), 'minis', 'mini skeins', 'mini skein set'),
  ...group(named(/Cake/), 'cake', 'yarn cake', 'cakes'),
  ...group(only('longshore-ebb-tide'), 'ebb tide', 'gradient cake', 'longshore gradient'),

  // Fibres, as on the band and as people call them.
  ...group(of(/merino/i), 'merino', 'merino yarn', 'merino wool', 'merno', 'Mérino', 'merino', 'MERINO WOOL'),
  ...group(of(/alpaca/i), 'alpaca', 'alpacca', 'alpaka', 'alpaca yarn'),
  ...group(of(/baby alpaca/i), 'baby alpaca', '"baby alpaca"'),
  ...group(of(/mohair/i), 'mohair', 'kid mohair', 'moahir', 'mohair silk', 'silk mohair'),
  ...group(of(/silk/i), 'silk', 'silk yarn', 'slik yarn', 'silk blend'),
  ...group(of(/cashmere/i), 'cashmere', 'cashmeer', 'casmere', 'cashm'),
  ...group(of(/cotton/i), 'cotton', 'cotton yarn', 'coton', 'cottn'),
  ...group(of(/mercerised/i), 'mercerised', 'mercerized', 'mercerized cotton', 'mercerised coton'),
  ...group(of(/linen/i), 'linen', 'linnen', 'linen yarn', 'flax yarn'),
  ...group(of(/hemp/i), 'hemp', 'hemp yarn'),
  ...group(of(/bamboo/i), 'bamboo yarn', 'bamboo 4ply', 'bambo yarn'),
  ...group(of(/llama/i), 'llama', 'lama yarn'),
  ...group(
    of(/leicester/i),
    'BFL',
    'bluefaced leicester',
    'blue faced leicester',
    'blue-faced leicester',
    'bfl yarn',
    'bluefaced leister',
  ),
  ...group(of(/corriedale/i), 'corriedale', 'coriedale', 'corridale'),
  ...group(of(/shetland/i), 'shetland', 'shetland wool', 'shetlnd', 'wool from shetland'),
  ...group(of(/romney/i), 'romney', 'romney wool', 'romny'),
  ...group(of(/jacob/i), 'jacob', 'jacob wool', 'jacob sheep'),
  ...group(of(/recycled/i), 'recycled yarn', 'recycled', 'recyled cotton yarn'),
  ...group(of(/recycled cotton/i), 'recycled cotton', 'cotton recycled'),
  ...group(both(of(/merino/i), of(/silk/i)), 'merino silk', 'silk and merino', 'silk merino'),
  ...group(both(of(/merino/i), of(/linen/i)), 'merino linen', 'linen merino'),
  ...group(both(of(/linen/i), of(/cotton/i)), 'linen cotton', 'cotton linen'),
  ...group(of(/pima/i), 'pima', 'pima cotton'),
  ...group(of(/^100% merino$/i), '100% merino'),

  // Weights under all their names.
  ...group(
    weighs('Fingering'),
    'fingering',
    '4ply',
    '4 ply',
    '4-ply',
    'sock yarn',
    'sock weight',
    'fingering weight',
    'fingring',
    'sock wool',
    '4ply yarn',
    'four ply',
  ),
  ...group(
    weighs('DK'),
    'dk',
    'DK yarn',
    '8ply',
    '8 ply',
    '8-ply',
    'double knitting',
    'double knit',
    'double knitting yarn',
    'd.k.',
  ),
  ...group(weighs('Worsted'), 'worsted', 'worsted weight', 'worstead', 'worsted yarn'),
  ...group(weighs('Aran'), 'aran', '10ply', '10 ply', 'aran weight', 'aran wool', '10-ply yarn'),
  ...group(weighs('Bulky'), 'bulky', 'chunky', '12ply', '12 ply', 'chunky yarn', 'chunkey yarn', 'chunky wool'),
  ...group(weighs('Super Bulky'), 'super bulky', 'super chunky', 'superbulky', 'superchunky', 'super chunky yarn'),
  ...group(weighs('Jumbo'), 'jumbo', 'jumbo yarn', 'jumbo weight'),
  ...group(weighs('Sport'), 'sport', 'sport weight', '5ply', '5 ply', 'sportweight', 'sport yarn'),
  ...group(weighs('Lace'), 'lace weight', 'laceweight', 'lace yarn', '2ply', '2 ply'),
  ...group(both(weighs('DK'), of(/cotton/i)), 'cotton dk', 'dk cotton', 'cotton 8 ply'),
  ...group(both(weighs('DK'), of(/merino/i)), 'merino dk', 'dk merino', 'merino 8ply', 'merno dk'),
  ...group(both(weighs('Fingering'), superwash), 'superwash sock yarn', 'superwash fingering'),
  ...group(both(weighs('Bulky'), of(/merino/i)), 'chunky merino', 'merino bulky'),
  ...group(both(weighs('Lace'), of(/silk/i)), 'silk lace weight', 'lace silk yarn'),
  ...group(both(weighs('Aran'), of(wool)), 'wool aran'),
  ...group(both(weighs('Worsted'), of(/cotton/i)), 'worsted cotton'),
  ...group(both(weighs('Worsted'), of(/merino/i)), 'worsted merino', 'merino worsted yarn'),
  ...group(both(weighs('Sport'), of(/merino/i)), 'sport merino', 'merino 5ply'),

  // Tools and sizes.
  ...group(needles, 'needles', 'knitting needles', 'knitting needle', 'needls'),
  ...group(hooks, 'crochet hooks', 'crochet hook', 'hooks', 'hook', 'crotchet hook', 'croche hook'),
  ...group(
    only('bamboo-dpns'),
    'dpn',
    'dpns',
    'DPNs',
    'double pointed needles',
    'double-pointed needles',
    'double pointed',
    'bamboo dpns',
    'bamboo needles',
    'dpn 2.5mm',
    '2.5 mm dpns',
  ),
  ...group(
    both(needles, named(/Circular/)),
    'circular needles',
    'circulars',
    'circs',
    'circ',
    'circular',
    'circlar needle',
  ),
  ...group(
    only('osier-rosewood-circular'),
    '4mm circular',
    '4 mm circular',
    'circular 4mm',
    '4.0mm circular needle',
    'US 6 circular',
    'us6 circular',
    'rosewood circular',
    'circs 4mm',
    '80cm circular',
    'rosewood needles',
  ),
  ...group(
    only('osier-steel-circular'),
    '2.5mm circular',
    '2,5 mm circular',
    'steel circular',
    'us 1.5 circular',
    '23cm circular',
    'stainless steel circular',
  ),
  ...group(
    only('birch-straights'),
    'straight needles',
    'straights',
    'birch needles',
    'needles straight 5mm',
    'us 8 straight needles',
    'size 8 straight needles',
  ),
  ...group(
    only('workbox-interchangeable'),
    'interchangeable',
    'interchangeable needles',
    'interchangable needle set',
    'needle set',
    'walnut needles',
  ),
  ...group(only('cable-needles-trio'), 'cable needles', 'cable needle', 'swan neck'),
  ...group(only('hook-olivewood', 'hook-set-jewel'), 'hook 5mm', '5mm hook', '5 mm crochet hook', '5.0 mm hook'),
  ...group(
    only('hook-olivewood'),
    'olive wood hook',
    'olivewood',
    'wooden crochet hook',
    'H-8 hook',
    'h8 crochet hook',
  ),
  ...group(only('hook-soft-grip', 'hook-set-jewel'), '4mm hook', 'hook 4 mm', 'crochet hook 4.0mm'),
  ...group(only('hook-soft-grip'), 'soft grip', 'ergonomic hook', 'soft-grip hook', 'softgrip'),
  ...group(
    only('hook-set-lace-steel'),
    'steel hook',
    'steel crochet hooks',
    'lace hooks',
    '0.75 mm hook',
    'thread hooks',
  ),
  ...group(both(hooks, named(/Set/)), 'hook set', 'set of hooks', 'crochet hook set'),
  ...group(
    both(yarn, ({ knittingNeedle }) => /US 50/.test(knittingNeedle)),
    'US 50',
    'us50',
    '25mm',
  ),
  ...group(
    both(yarn, ({ knittingNeedle }) => knittingNeedle.startsWith('6.5 mm')),
    'yarn for 6.5mm needles',
    '6.5mm yarn',
  ),
  ...group(
    both(yarn, ({ knittingNeedle }) => knittingNeedle.startsWith('10.0 mm')),
    '10mm yarn',
    'yarn 10 mm',
    'us 15 yarn',
    'yarn US15',
  ),
  ...group(
    both(yarn, ({ knittingNeedle }) => /US 7\)/.test(knittingNeedle)),
    'us 7 yarn',
    '4.5mm yarn',
    '4,5 mm yarn',
    'yarn 4.5 mm',
  ),
  ...group(
    both(yarn, ({ knittingNeedle }) => knittingNeedle.startsWith('3.75 mm')),
    '3.75mm knitting yarn',
    'us 5 yarn',
  ),

  // Notions.
  ...group(
    only('stitch-markers-enamel'),
    'stitch markers',
    'stitch marker',
    'stitchmarkers',
    'markers',
    'stich markers',
    'enamel markers',
  ),
  ...group(only('scissors-stork'), 'scissors', 'sissors', 'stork scissors', 'embroidery scissors', 'snips scissors'),
  ...group(only('tape-measure-oxblood'), 'tape measure', 'measuring tape', 'tapemeasure', 'tape'),
  ...group(only('row-counter-mint'), 'row counter', 'rowcounter', 'counter', 'row conter'),
  ...group(only('wool-wash-lavender'), 'wool wash', 'woolwash', 'no rinse wash', 'no-rinse wool wash', 'lavender wash'),
  ...group(only('darning-needles-tin'), 'darning needles', 'tapestry needles', 'darning needle', 'darnning needles'),
  ...group(
    only('blocking-set-steel'),
    'blocking wires',
    'blocking pins',
    'blocking set',
    'blockng wires',
    'T-pins',
    't pins',
  ),
  ...group(only('project-bag-bottle'), 'project bag', 'projectbag', 'waxed bag', 'knitting bag'),
  ...group(only('gauge-ruler-maple'), 'gauge ruler', 'needle sizer', 'needle gauge', 'guage ruler', 'ruler'),
  ...group(only('pompom-maker-duo'), 'pom pom', 'pompom', 'pom-pom maker', 'pompom maker', 'pom pom maker'),
  ...group(only('buttons-horn'), 'buttons', 'horn buttons', 'button', '18mm buttons', '18 mm button'),
  ...group(weighs('Notions'), 'notions'),

  // Words for shapes, joined and split words, old and new spellings.
  ...group(only('second-spin-coral'), 'tshirt yarn', 't-shirt yarn', 't shirt yarn', 'tee shirt yarn', 'T-Shirt'),
  ...group(named(/Undyed|Naturals|Raw Flax|Moorit/), 'undyed', 'undyed yarn'),
  ...group(both(yarn, says(/tweed/i)), 'tweed', 'tweed yarn', 'twede'),
  ...group(only('fellwright-undyed', 'great-loaf-undyed'), 'undyed worsted jumbo cream fleece'),
  ...group(both(yarn, named(/Gradient|Minis/)), 'gradient minis'),
  ...group(only('slubberdegullion-thundercloud'), 'thick and thin', 'thick & thin', 'slubberdegullion', 'thundercloud'),
  ...group(only('lopsided-hoarfrost'), 'roving', 'hoarfrost', 'hoar frost'),
  ...group(
    only('daywork-terracotta'),
    'kitchen cotton',
    'dishcloth cotton',
    'dish cloth cotton',
    'terracotta',
    'terra cotta',
  ),
  ...group(only('second-spin-workshirt'), 'denim', 'denim yarn', 'jeans yarn', 'workshirt'),
  ...group(superwash, 'superwash', 'super wash', 'superwash yarn'),
  ...group(both(yarn, madeOf(/non-superwash/i)), 'non-superwash', 'non superwash', 'nonsuperwash'),
  ...group(both(yarn, cared(/machine wash/i)), 'machine washable yarn', 'machine wash yarn'),
  ...group(both(weighs('Worsted'), cared(/machine wash/i)), 'machine washable worsted'),
  ...group(both(yarn, says(/fair isle|stranded/i)), 'fair isle yarn'),

  // Colours.
  ...group(
    only('skerrow-storm', 'quillwort-smoke', 'fogline-oyster', 'great-loaf-lavender', 'tumbledown-grouse'),
    'grey yarn',
    'gray yarn',
    'gray',
  ),
  ...group(
    only(
      'vat-nine-deep-indigo',
      'vat-nine-first-dip',
      'maud-fenner-cornflower',
      'harbourmaster-gansey-navy',
      'second-spin-workshirt',
      'skerrow-storm',
    ),
    'blue yarn',
  ),
  ...group(
    only(
      'tarnbeck-moss',
      'halfacre-spruce',
      'papermoth-lichen',
      'orchardist-greengage',
      'doorstep-bulky-jade',
      'tidewrack-kelp',
    ),
    'green yarn',
    'yarn in green',
  ),
  ...group(only('velveteen-garnet', 'tarnbeck-madder', 'skerrow-rosehip'), 'red wool'),
  ...group(only('harbourmaster-oilskin', 'plainsong-weld', 'smallfry-buttermilk', 'flaxwright-ochre'), 'yellow yarn'),
  ...group(only('fellwright-heather-moor', 'moonmoth-aubergine'), 'purple yarn'),
  ...group(only('doorstep-persimmon', 'ninepin-marmalade'), 'orange yarn'),
  ...group(only('papermoth-rose-dust', 'ribbon-lane-peony', 'altamesa-dried-rose'), 'pink yarn'),
  ...group(only('harbourmaster-gansey-navy', 'longshore-ebb-tide'), 'navy yarn', 'navy blue yarn'),
  ...group(only('altamesa-cocoa', 'cobwren-moorit', 'tarnbeck-tweed-peat-bog'), 'brown yarn'),

  // Uses.
  ...group(both(yarn, says(/\bsocks?\b/i)), 'yarn for socks'),
  ...group(only('smallfry-buttermilk'), 'baby cardigan yarn', 'newborn cardigan', 'baby merino'),
  ...group(both(yarn, says(/shawl/i)), 'shawl yarn', 'yarn for a shawl'),
  ...group(only('lullwater-kingfisher'), 'kingfisher', 'kingfsher', 'lullwater bamboo'),
  ...group(only('brambleshaw-blackberry'), 'blackberry', 'black berry', 'brambleshaw'),

  // Article numbers and beginnings of words.
  ...group(only('ninepin-marmalade'), 'NINEPIN-MARMALADE', 'ninepin-marmalade'),
  ...group(only('hook-set-jewel'), 'HOOK-SET-JEWEL'),
  ...group(only('kit-fox-mittens'), 'KIT-FOX-MITTENS'),
  ...group(both(hooks, named(/Crochet/)), 'croch hook'),
  ...group(needles, 'knitting need'),
  ...group(named(/Persimmon/), 'persim', 'doorstep persimm'),
  ...group(of(/corriedale/i), 'corried'),
]
