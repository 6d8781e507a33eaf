import type { ColourFamily } from './shelf-names.ts'

/** The words of dyers and makers for each family. */
const FAMILIES: Record<ColourFamily, string> = {
  RED: 'red scarlet crimson garnet madder ruby cherry rosehip poppy burgundy oxblood claret brick cranberry vermilion carmine wine maroon',
  ORANGE: 'orange marmalade amber rust persimmon terracotta apricot tangerine copper pumpkin bracken coral',
  YELLOW:
    'yellow ochre mustard weld saffron lemon buttermilk butter oilskin gold golden sunflower buttercup primrose honey',
  GREEN: 'green moss kelp spruce lichen greengage jade sage olive fern emerald mint forest bottle pine leaf khaki lime',
  TEAL: 'teal turquoise kingfisher aqua peacock petrol verdigris',
  BLUE: 'blue navy indigo cornflower cobalt denim sky azure sapphire midnight cerulean workshirt storm',
  PURPLE: 'purple plum lilac aubergine lavender heather blackberry violet mauve damson sloe',
  PINK: 'pink rose peony blush fuchsia magenta salmon cerise',
  BROWN: 'brown cocoa toffee chocolate chestnut peat moorit walnut coffee caramel tan umber fawn beige taupe',
  GREY: 'grey gray slate smoke charcoal pewter silver ash steel storm oyster graphite anthracite',
  BLACK: 'black ebony jet ink coal',
  WHITE: 'white snow ivory chalk hoarfrost',
  UNDYED: 'undyed natural naturals cream ecru oat raw unbleached',
  VARIEGATED: 'variegated speckled rainbow gradient wildflower multicoloured multicolored stripe striped hedgerow',
}

const families = Object.entries(FAMILIES).map(([family, words]) => ({
  family: family as ColourFamily,
  words: new Set(words.split(' ')),
}))

/** All words that name a family. */
export const colourWords = (): string[] => families.flatMap(({ words }) => [...words])

/** The families that a dyer or maker means by a word. */
export const familiesNamedBy = (word: string): ColourFamily[] =>
  families.filter(({ words }) => words.has(word)).map(({ family }) => family)

const familiesIn = (text: string) => [...new Set((text.toLowerCase().match(/[a-z]+/g) ?? []).flatMap(familiesNamedBy))]

/**
 * The families of a product's colours, by its texts. The colourway at the end of its name decides when it names a
 * colour; else the first sentence of the description does.
 */
export function colourFamiliesOf({ name, description }: { name: string; description: string }): ColourFamily[] {
  const at = name.lastIndexOf(' in ')
  const byColourway = at > 0 ? familiesIn(name.slice(at)) : []
  const [firstSentence = ''] = description.split(/[.!?]/, 1)
  return byColourway.length > 0 ? byColourway : familiesIn(firstSentence)
}
