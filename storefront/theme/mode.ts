// Light or dark by hand. Without a choice the system decides (themes.ts).
const KEY = 'theme'

/** Runs inline in the head, before the first paint, so that a chosen theme never flashes. */
export const THEME_SCRIPT = `try{var t=localStorage.getItem('${KEY}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`

export type Mode = 'light' | 'dark'

export function currentMode(): Mode {
  const chosen = document.documentElement.dataset.theme
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** The new colours are there at once: hundreds of transitions would hold up the frame that shows them. */
export function setMode(mode: Mode): void {
  const { dataset } = document.documentElement
  dataset.switching = ''
  dataset.theme = mode
  requestAnimationFrame(() => setTimeout(() => delete dataset.switching))
  try {
    localStorage.setItem(KEY, mode)
  } catch {
    // Storage is off: the choice lasts until the next page load.
  }
}
