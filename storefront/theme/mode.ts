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

export function setMode(mode: Mode): void {
  document.documentElement.dataset.theme = mode
  try {
    localStorage.setItem(KEY, mode)
  } catch {
    // Storage is off: the choice lasts until the next page load.
  }
}
