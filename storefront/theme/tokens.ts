// What components may use. Layer one: scales. Layer two: semantic colours, which are CSS custom
// properties so that the server sends one HTML for light and dark; themes.ts gives them values.

/** Distances. */
export const space = {
  0: '0',
  1: '0.25rem',
  2: '0.5rem',
  3: '0.75rem',
  4: '1rem',
  5: '1.5rem',
  6: '2rem',
  7: '3rem',
  8: '4.5rem',
  9: '7rem',
} as const
export type Space = keyof typeof space

export const font = {
  /** Names, prices, headings. */
  serif: "'Brygada 1918', 'Brygada Georgia', 'Brygada Times', 'Brygada Noto', serif",
  /** Facts and controls. */
  sans: "'Source Sans 3', 'Source Arial', 'Source Roboto', 'Source Noto', sans-serif",
  /** What is copied letter by letter: keys, programs. */
  mono: 'ui-monospace, Menlo, Consolas, monospace',
} as const

/** Type sizes. A card uses three of them at most. */
export const size = {
  xs: '0.8125rem',
  sm: '0.9375rem',
  md: '1.0625rem',
  lg: '1.25rem',
  xl: '1.5rem',
  h2: 'clamp(1.625rem, 1.35rem + 1.2vw, 2.125rem)',
  h1: 'clamp(2rem, 1.5rem + 2.2vw, 3rem)',
  display: 'clamp(2.375rem, 1.4rem + 4.2vw, 4.5rem)',
} as const

export const weight = { regular: 400, medium: 500, strong: 600 } as const

export const radius = { sm: '2px', md: '4px', pill: '999px' } as const

/** Height of controls. 44 px is the smallest comfortable target for fingers: small ones have it on touch screens. */
export const control = { sm: 'var(--control-sm)', md: '2.75rem', lg: '3.25rem' } as const

export const motion = {
  fast: '120ms cubic-bezier(0.2, 0.7, 0.2, 1)',
  medium: '180ms cubic-bezier(0.2, 0.7, 0.2, 1)',
  slow: '240ms cubic-bezier(0.2, 0.7, 0.2, 1)',
} as const

/** From this width on. Phones come first, without a query. */
export const from = {
  tablet: '@media (min-width: 40rem)',
  desktop: '@media (min-width: 60rem)',
  wide: '@media (min-width: 80rem)',
} as const
export const below = {
  tablet: '@media (max-width: 39.99rem)',
  desktop: '@media (max-width: 59.99rem)',
} as const

/** Columns of a grid: fewer than `most` where letters are so large that one would be narrower than `least`. */
export const upTo = (most: number, least: string) =>
  `repeat(auto-fill, minmax(min(100%, max(${least}, ${100 / (most + 0.5)}%)), 1fr))`

/** Widths of text and page. */
export const measure = {
  text: '38rem',
  narrow: '28rem',
  page: '82rem',
  gutter: 'clamp(1.125rem, 4.5vw, 4rem)',
} as const

const semantic = [
  'ground', // the page
  'raised', // what floats above it: menus, dialogs, fields
  'band', // a paper band: facts, summaries
  'line',
  'lineStrong', // edges of controls
  'text',
  'textQuiet',
  'action', // what is pressed to do something
  'actionHover',
  'onAction',
  'accent', // the same colour as text: links and small marks
  'accentHover',
  'focus',
  'danger',
  'dangerGround',
  'warning',
  'warningGround',
  'success',
  'successGround',
  'star',
  'skeleton',
  'lamp', // the pool of light behind a picture
  'scrim', // over the page while a dialog is open
  'shadow', // of what floats
  'selection',
] as const
export type ColorName = (typeof semantic)[number]

export const property = (name: string) => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

/** `color.textQuiet` is `var(--text-quiet)`. */
export const color = Object.fromEntries(semantic.map(name => [name, `var(${property(name)})`])) as Record<
  ColorName,
  string
>

/** Shadow of floating things; nothing that lies on the page has one. */
export const shadow = `0 0.5rem 2rem ${color.shadow}`
