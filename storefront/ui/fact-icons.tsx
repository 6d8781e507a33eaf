// The facts of a product's label.
import { icon } from './icons.tsx'

export const HookIcon = icon(
  <>
    <path d="M4 20 16.8 7.2" />
    <path d="M16.8 7.2c1.6-1.6 1.9-3.4.7-4.2-1.2-.8-2.6.3-2.4 1.7.1.8.8 1.3 1.7 1.2" />
    <path d="m8.2 13.4 2.4 2.4" />
  </>,
)
export const GaugeIcon = icon(
  <>
    <rect x="3.5" y="3.5" width="17" height="17" rx="1" />
    <path d="m6 7.5 2 2 2-2m4 0 2 2 2-2M6 11.5l2 2 2-2m4 0 2 2 2-2M6 15.5l2 2 2-2m4 0 2 2 2-2" />
  </>,
)
export const TubIcon = icon(
  <>
    <path d="m2.5 8 2.6 11h13.8l2.6-11" />
    <path d="M3.2 11.2c1.5-1.6 3-1.6 4.4 0s2.9 1.6 4.4 0 2.9-1.6 4.4 0 2.9 1.6 4.4 0" />
    <path d="M12 7.5V3" />
    <path d="M10 5l2-2 2 2" />
  </>,
)
export const ScaleIcon = icon(
  <>
    <path d="M4 5h16l-1.5 4.5h-13z" />
    <path d="M12 9.5V12" />
    <path d="M5 20.5 6.5 12h11l1.5 8.5z" />
    <circle cx="12" cy="16.3" r="2" />
    <path d="m12 16.3.9-.9" />
  </>,
)
export const RulerIcon = icon(
  <>
    <path d="M3 8h18v8H3z" />
    <path d="M6.6 8v3M10.2 8v4.5M13.8 8v3M17.4 8v4.5" />
  </>,
)
export const FibreIcon = icon(
  <>
    <path d="M12 21V8.5" />
    <path d="M12 13c-4.5 0-6.5-2.5-6.5-6C9 7 12 8.5 12 13zM12 10c0-3.5 1.5-6 6.5-7 .5 4.5-1.5 8-6.5 9" />
  </>,
)
