import { spelled } from './spelling.ts'

export const WASHING = ['MACHINE', 'HAND', 'DRY_CLEAN'] as const

/** How a yarn is washed, as its maker recommends. */
export interface Care {
  washing: (typeof WASHING)[number] | null
  /** Whether the wool was treated not to felt. Null when the texts do not say. */
  superwash: boolean | null
}

const NO_MACHINE =
  /\b(?:not|never|don't|no|nor)(?: be)? (?:machine[ -]?wash\w{0,4}|wash(?:ed)? (?:in|by) (?:a |the )?machine)/g
const MACHINE =
  /\bmachine[ -]?wash\w{0,4}|\bwash(?:able|ed)? (?:in|by) (?:a |the )?(?:washing )?machine|\b(?:wool|gentle|delicates?) (?:wash )?(?:cycle|programme|program)\b/
const HAND = /\bhand[ -]?wash\w{0,4}|\bwash(?:ed|able)? (?:only )?by hand\b/
const DRY_CLEAN = /(?<!not )(?<!never )\bdry[ -]?clean(?:ing)? only\b/
const UNTREATED = /\b(?:non|not|no|un)[ -]?superwash\w{0,4}|\buntreated\b/
const TREATED = /\bsuper[ -]?wash\w{0,4}|\bsw merino\b/

/** What the texts about care and content say together. */
export function readCare(recommendedCare: string, content = ''): Care {
  const care = (spelled(recommendedCare) ?? '').replaceAll(NO_MACHINE, ' ')
  const all = `${spelled(recommendedCare) ?? ''}; ${spelled(content) ?? ''}`
  const washing = MACHINE.test(care) ? 'MACHINE' : HAND.test(care) ? 'HAND' : DRY_CLEAN.test(care) ? 'DRY_CLEAN' : null
  return { washing, superwash: UNTREATED.test(all) ? false : TREATED.test(all) ? true : null }
}
