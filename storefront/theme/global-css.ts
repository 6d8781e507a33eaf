import { fontFaces } from './fonts.ts'
import { themeCss } from './themes.ts'
import { unitsCss } from './units.ts'
import { color, control, font, radius, size, space, weight } from './tokens.ts'

/**
 * The base styles of all pages. The server writes them into the document, so the browser need not load them again.
 * Pictures with a low priority are not requested until the programs have arrived (app/begin.ts). A form without an
 * action is sent by a script, so without one it has no button. Forced colours remove the shadows and grounds that
 * otherwise show edges and states.
 */
export const globalCss = import.meta.env.SSR
  ? `
  ${fontFaces()}
  ${themeCss()}
  ${unitsCss}

  :root { --control-sm: 2.25rem; }
  @media (pointer: coarse) { :root { --control-sm: ${control.md}; } }

  *, ::before, ::after { box-sizing: border-box; }
  * { margin: 0; }
  html { text-size-adjust: 100%; -webkit-text-size-adjust: 100%; overflow-y: scroll; }
  body {
    background: ${color.ground};
    color: ${color.text};
    font: ${weight.regular} ${size.md}/1.55 ${font.sans};
    font-variant-numeric: lining-nums;
    -webkit-font-smoothing: antialiased;
    text-rendering: optimizeLegibility;
    overflow-wrap: break-word;
  }
  h1, h2, h3 { font-family: ${font.serif}; font-weight: ${weight.medium}; line-height: 1.12; text-wrap: balance; }
  h1 { font-size: ${size.h1}; letter-spacing: -0.015em; }
  h2 { font-size: ${size.h2}; letter-spacing: -0.01em; }
  h3 { font-size: ${size.lg}; }
  p { text-wrap: pretty; }
  a { color: inherit; text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
  img { display: block; max-width: 100%; }
  :root[data-waiting] img[fetchpriority='low'] { display: none; }
  :root[data-switching] * { transition: none !important; }
  svg { display: block; flex: none; }
  button, input, select, textarea { font: inherit; color: inherit; letter-spacing: inherit; }
  button { cursor: pointer; }
  fieldset { border: 0; padding: 0; min-width: 0; }
  ul, ol { padding-left: 1.25em; }
  table { border-collapse: collapse; }
  ::selection { background: ${color.selection}; }

  :focus-visible { outline: 2px solid ${color.focus}; outline-offset: 3px; border-radius: ${radius.sm}; }
  :focus:not(:focus-visible) { outline: none; }
  [tabindex='-1']:focus { outline: none; }
  :target { scroll-margin-top: ${space[6]}; }

  @media (scripting: none) { form[method='post']:not([action]) [type='submit'] { display: none; } }

  @media (prefers-reduced-motion: reduce) {
    *, ::before, ::after {
      animation-duration: 0.01ms !important;
      animation-iteration-count: 1 !important;
      transition-duration: 0.01ms !important;
      scroll-behavior: auto !important;
    }
  }

  @media (forced-colors: active) {
    [role='dialog'], [role='alertdialog'], [role='menu'], [role='listbox'], [aria-label='Notifications'] > * > * {
      border: 1px solid;
    }
    [aria-current], [aria-selected='true'], [aria-pressed='true'], [data-shown], [data-highlighted] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }

  @media print {
    body { font-size: 10.5pt; }
    nav, [data-print='hide'] { display: none !important; }
    a { text-decoration: none; }
    h1, h2, h3 { break-after: avoid; }
    tr, li, img { break-inside: avoid; }
  }
`.replaceAll(/\s+/g, ' ')
  : ''
