// The only file with raw colours: a palette named after what the dyer would use, and the two themes made of it.
import { type ColorName, property } from './tokens.ts'

const WOOL = '#faf7f0'
const DARK_WOOL = '#1a1512'

const dye = {
  wool: WOOL,
  bleached: '#fffdf8',
  paper: '#f1ebdd',
  flax: '#ddd4c3',
  hemp: '#8b7f6e',
  bark: '#635a4e',
  ink: '#241f1a',
  madder: '#a3312a',
  madderDeep: '#7f221d',
  madderLamplit: '#b5432f',
  madderGlow: '#c04c37',
  madderPale: '#db6a54',
  madderPaler: '#e88572',
  cochineal: '#8c1a2f',
  blush: '#f7e5df',
  rose: '#f3a19a',
  garnet: '#3a1f1e',
  weld: '#6b4800',
  weldPale: '#f6eac6',
  weldBright: '#e8c46c',
  weldDark: '#332812',
  lichen: '#3d582d',
  lichenPale: '#e6ebd5',
  lichenBright: '#b3c98d',
  lichenDark: '#222a17',
  woad: '#1f4e79',
  woadBright: '#92c0ea',
  darkWool: DARK_WOOL,
  darkRaised: '#282119',
  darkBand: '#241d17',
  darkLine: '#3d342b',
  darkHemp: '#8d7e6d',
  moth: '#bbad9b',
  candle: '#f2e9dc',
} as const

type Theme = Record<ColorName, string>

const light: Theme = {
  ground: dye.wool,
  raised: dye.bleached,
  band: dye.paper,
  line: dye.flax,
  lineStrong: dye.hemp,
  text: dye.ink,
  textQuiet: dye.bark,
  action: dye.madder,
  actionHover: dye.madderDeep,
  onAction: dye.bleached,
  accent: dye.madder,
  accentHover: dye.madderDeep,
  focus: dye.woad,
  danger: dye.cochineal,
  dangerGround: dye.blush,
  warning: dye.weld,
  warningGround: dye.weldPale,
  success: dye.lichen,
  successGround: dye.lichenPale,
  star: dye.ink,
  skeleton: '#ece5d7',
  lamp: 'transparent',
  scrim: 'rgb(36 31 26 / 0.45)',
  shadow: 'rgb(60 45 30 / 0.18)',
  selection: '#f0d3c4',
}

const dark: Theme = {
  ground: dye.darkWool,
  raised: dye.darkRaised,
  band: dye.darkBand,
  line: dye.darkLine,
  lineStrong: dye.darkHemp,
  text: dye.candle,
  textQuiet: dye.moth,
  action: dye.madderLamplit,
  actionHover: dye.madderGlow,
  onAction: '#fff7ec',
  accent: dye.madderPale,
  accentHover: dye.madderPaler,
  focus: dye.woadBright,
  danger: dye.rose,
  dangerGround: dye.garnet,
  warning: dye.weldBright,
  warningGround: dye.weldDark,
  success: dye.lichenBright,
  successGround: dye.lichenDark,
  star: dye.candle,
  skeleton: '#2b231d',
  lamp: '#5e4a35',
  scrim: 'rgb(8 6 5 / 0.65)',
  shadow: 'rgb(0 0 0 / 0.55)',
  selection: '#5c3229',
}

const declare = (theme: Theme) =>
  Object.entries(theme)
    .map(([name, value]) => `${property(name)}:${value}`)
    .join(';')

/**
 * The system decides unless `data-theme` on the root says otherwise; see mode.ts. `--sun` and `--moon` decide which of the
 * two icons the theme switch shows.
 */
export function themeCss(): string {
  const lightCss = `color-scheme:light;--sun:none;--moon:block;${declare(light)}`
  const darkCss = `color-scheme:dark;--sun:block;--moon:none;${declare(dark)}`
  return `
:root{${lightCss}}
@media screen and (prefers-color-scheme:dark){:root:not([data-theme='light']){${darkCss}}}
@media screen{:root[data-theme='dark']{${darkCss}}}
`
}

/** For `<meta name="theme-color">`: the background of both themes. */
export const browserColor = { light: WOOL, dark: DARK_WOOL } as const
