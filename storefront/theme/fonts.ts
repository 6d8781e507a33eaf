// Two families, latin, variable, served by ourselves (OFL 1.1, see NOTICE). The stand-ins are system fonts
// stretched to the same metrics, so nothing moves when the real ones arrive; figures from @capsizecss/metrics.
import serifItalic from '@fontsource-variable/brygada-1918/files/brygada-1918-latin-wght-italic.woff2?url'
import serif from '@fontsource-variable/brygada-1918/files/brygada-1918-latin-wght-normal.woff2?url'
import sans from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url'

/** The fonts needed first; the browser requests the italic when a page has italic text. */
export const fontPreloads = [serif, sans]
  .map(href => `<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin>`)
  .join('')

const face = (family: string, src: string, rest: string) => `@font-face{font-family:'${family}';src:${src};${rest}}`
const file = (url: string) => `url(${url}) format('woff2')`
const local = (...names: string[]) => names.map(name => `local('${name}')`).join(',')
const metrics = (sizeAdjust: number, ascent: number, descent: number) =>
  `size-adjust:${sizeAdjust}%;ascent-override:${ascent}%;descent-override:${descent}%;line-gap-override:0%`

export const fontFaces = () =>
  [
    face('Brygada 1918', file(serif), 'font-weight:400 700;font-display:swap'),
    face('Brygada 1918', file(serifItalic), 'font-style:italic;font-weight:400 700;font-display:swap'),
    face('Source Sans 3', file(sans), 'font-weight:200 900;font-display:swap'),
    face('Brygada Georgia', local('Georgia'), metrics(104.76, 87.82, 23.87)),
    face('Brygada Georgia', local('Georgia Italic'), `font-style:italic;${metrics(96.79, 95.05, 25.83)}`),
    face('Brygada Times', local('Times New Roman', 'Liberation Serif', 'Tinos'), metrics(114.95, 80.03, 21.75)),
    face('Brygada Noto', local('Noto Serif'), metrics(97.09, 94.76, 25.75)),
    face('Source Arial', local('Arial', 'Liberation Sans', 'Arimo'), metrics(93.76, 109.21, 42.66)),
    face('Source Roboto', local('Roboto'), metrics(93.97, 108.97, 42.57)),
    face('Source Noto', local('Noto Sans', 'Open Sans'), metrics(89.17, 114.83, 44.86)),
  ].join('')
