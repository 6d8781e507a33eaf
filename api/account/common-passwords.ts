import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { limits } from '#schema/rules/limits'
import { present } from '#schema/rules/present'

/** The word lists are loaded on first use. */
let zxcvbn: Promise<ZxcvbnFactory> | undefined

async function openZxcvbn(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}

/** Judging longer passwords takes long, so only their beginning is judged. */
const JUDGED = 64
/** Of zxcvbn's scores: found in fewer than a million guesses. */
const GUESSED_SOON = 1

/** Whether a password is among what is tried first: common ones, runs on the keyboard, repeats, dates, `3` for `e`. */
export async function isCommon(password: string): Promise<boolean> {
  const judge = await (zxcvbn ??= openZxcvbn())
  // zxcvbn rates figures and signs around a word as if nobody would guess them, so the word is judged without them, too.
  return [password, core(password)].some(
    text => text.length >= limits.password.min && judge.check(text.slice(0, JUDGED)).score <= GUESSED_SOON,
  )
}

/** Whether a password is one of these words, plainly or with other case, figures and signs around it, or `3` for `e`. */
export function isOneOf(words: readonly string[], password: string): boolean {
  const bareWords = new Set(words.map(bare).filter(word => word !== ''))
  return variants(password).some(variant => bareWords.has(bare(variant)))
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

const core = (text: string) => text.replaceAll(/^\P{L}+|\P{L}+$/gu, '')

function variants(password: string): string[] {
  const lower = password.toLowerCase()
  return [lower, core(lower)].flatMap(text => [
    text,
    text.replaceAll(/[013457@$!]/g, sign => present(LOOKALIKES[sign])),
  ])
}

/** Letters and figures alone: "Nell Knitter" is no harder to guess than "nellknitter". */
const bare = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
