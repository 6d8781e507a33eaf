import { limits } from '#schema/rules/limits'

/** About 18,000 passwords that everyone who breaks into accounts tries first, in lower case. Read when first asked for. */
let common: Promise<ReadonlySet<string>> | undefined

async function readCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(word => word.length >= limits.password.min))
}

/** Whether a password is one of the most common, plainly or with other case, figures and signs around it, or `3` for `e`. */
export async function isCommon(password: string): Promise<boolean> {
  const known = await (common ??= readCommon())
  return runsOrRepeats(password) || variants(password).some(variant => known.has(variant))
}

/** Whether a password is one of these words, plainly or varied as above. */
export function isOneOf(words: readonly string[], password: string): boolean {
  const told = new Set(words.map(bare).filter(word => word !== ''))
  return variants(password).some(variant => told.has(bare(variant)))
}

const LOOKALIKES: Record<string, string> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

function variants(password: string): string[] {
  const lower = password.toLowerCase()
  const core = lower.replaceAll(/^\P{L}+|\P{L}+$/gu, '')
  return [lower, core, ...[lower, core].map(text => text.replaceAll(/[013457@$!]/g, sign => LOOKALIKES[sign]!))]
}

/** Letters and figures alone: "Nell Knitter" is no harder to guess than "nellknitter". */
const bare = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** `aaaaaaaa`, `12312312`, `abcdefgh`, `87654321`. */
function runsOrRepeats(password: string): boolean {
  const codes = [...password].map(character => character.codePointAt(0)!)
  const steps = new Set(codes.slice(1).map((code, index) => code - codes[index]!))
  return (steps.size === 1 && [-1, 0, 1].includes([...steps][0]!)) || /^(.{1,3})\1+.{0,2}$/u.test(password)
}
