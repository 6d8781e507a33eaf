import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** Which face writes a letter; all that none of them names, Latin, Greek and Cyrillic among it, is for the Latin one. */
const FACES: readonly (readonly [face: string, letters: RegExp])[] = [
  ['emoji', /\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Regional_Indicator}/u],
  ['korean', /\p{Script=Hangul}/u],
  ['chinese', /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\u3000-\u303f\uff00-\uffef]/u],
  ...[
    'Devanagari',
    'Arabic',
    'Hebrew',
    'Thai',
    'Armenian',
    'Georgian',
    'Bengali',
    'Gujarati',
    'Gurmukhi',
    'Tamil',
    'Telugu',
    'Kannada',
    'Malayalam',
    'Sinhala',
    'Khmer',
    'Lao',
    'Myanmar',
    'Ethiopic',
  ].map(script => [script.toLowerCase(), new RegExp(`\\p{scx=${script}}`, 'u')] as const),
]

const LATIN = 'latin'

/** Which face has the letter that somebody reads as one. */
export const faceOf = (letter: string): string => FACES.find(([, letters]) => letters.test(letter))?.[0] ?? LATIN

/** The file of a face: TrueType, OpenType or WOFF. */
export function fontFile(face: string, bold: boolean): string {
  const [name, weight] = bold ? ['Bold', 700] : ['Regular', 400]
  switch (face) {
    case LATIN:
      return whole('latin', `NotoSans-${name}.ttf`)
    case 'chinese':
      return whole('sc', `NotoSansHans-${name}.otf`)
    case 'arabic':
      return whole('arabic', `NotoNaskhArabic-${name}.ttf`)
    case 'korean':
      return whole('kr', `NotoSansKR-${name}.otf`)
    case 'emoji':
      return require.resolve('@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff')
    default:
      return require.resolve(`@fontsource/noto-sans-${face}/files/noto-sans-${face}-${face}-${weight}-normal.woff`)
  }
}

const whole = (family: string, file: string) =>
  join(dirname(require.resolve(`@embedpdf/fonts-${family}`)), '../fonts', file)
