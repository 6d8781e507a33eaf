/** In characters. Longer names are cut at the end of a word: people read an address at a glance. */
const LONGEST = 80

/** Latin letters that are not a letter with an accent. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
}

/**
 * A name as the readable end of an address: "Ninepin Sock in Marmalade" is `ninepin-sock-in-marmalade`. Latin letters lose
 * their accents, other scripts stay as they are. Empty for a name without a letter or digit.
 */
export function slugOf(name: string): string {
  const words = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{Mn}+/gu, '')
    .normalize('NFC')
    .replace(/[ßæœøłđðþħı]/g, letter => LETTERS[letter] ?? letter)
    .replace(/['’‘\u00ad]/g, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '')
  // Counted in whole characters, so that none is cut in two.
  const short = [...words].slice(0, LONGEST + 1)
  if (short.length <= LONGEST) return words
  const end = short.lastIndexOf('-')
  return short.slice(0, end > 0 ? end : LONGEST).join('')
}

/** The slug as it follows the id in an address, with the slash before it; empty if no letter or digit is left. */
export function slugBehind(name: string): string {
  const slug = slugOf(name)
  return slug && `/${encodeURIComponent(slug)}`
}
