/** US sizes of knitting needles in millimetres. */
const US_NEEDLES: Record<string, number> = {
  '0': 2, '1': 2.25, '1.5': 2.5, '2': 2.75, '2.5': 3, '3': 3.25, '4': 3.5, '5': 3.75, '6': 4, '7': 4.5, '8': 5, '9': 5.5, '10': 6, '10.5': 6.5, '11': 8,
  '13': 9, '15': 10, '17': 12.75, '19': 15, '35': 19, '50': 25,
}

const sizes = Object.entries(US_NEEDLES).map(([us, mm]) => [`us${us}`, `${mm}mm`].map(size => size.replace('.', 'p')))

/**
 * What knitters say for the same thing, as `wordsOf` would write it. The first shop starts with these rows in
 * `search_synonyms`; each line is one meaning.
 */
export const SYNONYMS: string[][] = [
  ['fingering', 'sock', '4ply'],
  ['dk', '8ply', 'double knitting', 'double knit', 'd k'],
  ['aran', '10ply'],
  ['bulky', 'chunky', '12ply'],
  ['super bulky', 'superbulky', 'super chunky', 'superchunky'],
  ['sport', '5ply', 'sportweight'],
  ['lace', '2ply', 'laceweight', 'cobweb'],
  ['jumbo', 'giant'],
  ['double pointed', 'dpn', 'doublepointed', 'double point'],
  ['circular', 'circ'],
  ['straight', 'single pointed', 'single point'],
  ['bluefaced leicester', 'blue faced leicester', 'bfl'],
  ['hank', 'skein', 'ball'],
  ['jumper', 'sweater', 'pullover'],
  ['colour', 'color'],
  ['grey', 'gray'],
  ['fibre', 'fiber'],
  ['mercerised', 'mercerized'],
  ['metre', 'meter'],
  ['centimetre', 'centimeter'],
  ['pompom', 'pom pom', 'bobble'],
  ['tshirt', 't shirt', 'tee shirt'],
  ['linen', 'flax'],
  ['nylon', 'polyamide'],
  ['viscose', 'rayon'],
  ['tape measure', 'measuring tape'],
  ['darning needle', 'tapestry needle', 'yarn needle', 'sewing up needle', 'wool needle'],
  ['needle sizer', 'needle gauge'],
  ['soft grip', 'softgrip', 'ergonomic'],
  ['denim', 'jeans'],
  ['wooden', 'wood'],
  ['washable', 'wash'],
  ['harbour', 'harbor'],
  ['beginner', 'first'],
  ['variegated', 'multicoloured', 'multicolored', 'multicolour', 'multicolor'],
  ['stocking stitch', 'stockinette'],
  ['gauge', 'tension'],
  ['crochet', 'crocheting'],
  ['undyed', 'natural', 'ecru'],
  ['baby', 'newborn', 'nursery'],
  ['organiser', 'organizer'],
  ...sizes,
]
