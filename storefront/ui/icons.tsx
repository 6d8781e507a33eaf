// Drawn for Skein on a 24 px grid: one stroke of 1.5, round ends, no fills. These are on every page; icons that fewer
// pages need are in page-icons.tsx, fact-icons.tsx and admin-icons.tsx.
import type { ReactNode, SVGProps } from 'react'

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'children'> {
  /** Side in pixels. */
  size?: number
}

export const icon = (paths: ReactNode) =>
  function Icon({ size = 24, ...rest }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
        {...rest}
      >
        {paths}
      </svg>
    )
  }

export const SkeinIcon = icon(
  <>
    <path d="M7.5 6.5h9a5 5 0 0 1 0 10h-9a5 5 0 0 1 0-10z" />
    <path d="M9.2 6.5c-.8 3-.8 7 0 10M14.8 6.5c.8 3 .8 7 0 10" />
    <path d="m3.5 9 3.3 6.8M6 7l1.4 3M17 8.5l3.3 6.2M16.5 13l1.5 3" />
    <path d="M19.5 15.6c1.4 2 .8 4-2.5 4.4" />
  </>,
)
export const BasketIcon = icon(
  <>
    <path d="M3 10h18l-2 10H5z" />
    <path d="m7.5 10 3-6M16.5 10l-3-6M9.5 13.5v3M14.5 13.5v3" />
  </>,
)
export const SearchIcon = icon(
  <>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="m15.5 15.5 5 5" />
  </>,
)
export const UserIcon = icon(
  <>
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 20.5c.7-4 3.6-6 7.5-6s6.8 2 7.5 6" />
  </>,
)
export const SunIcon = icon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4" />
  </>,
)
export const MoonIcon = icon(<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z" />)
export const HeartIcon = icon(
  <path d="M12 20S4 15.2 4 9.3A4.3 4.3 0 0 1 12 7a4.3 4.3 0 0 1 8 2.3C20 15.2 12 20 12 20z" />,
)
export const CloseIcon = icon(<path d="m5.5 5.5 13 13M18.5 5.5l-13 13" />)
export const CheckIcon = icon(<path d="m4.5 12.5 5 5 10-11" />)
export const WarningIcon = icon(
  <>
    <path d="M12 3.5 21.5 20h-19z" />
    <path d="M12 10v4.5M12 17.3v.2" />
  </>,
)
export const InfoIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v5.5M12 7.5v.2" />
  </>,
)
export const ChevronDownIcon = icon(<path d="m5.5 9 6.5 6.5L18.5 9" />)
export const ArrowLeftIcon = icon(<path d="M20.5 12h-17m6-6-6 6 6 6" />)
export const ArrowRightIcon = icon(<path d="M3.5 12h17m-6-6 6 6-6 6" />)
export const MenuIcon = icon(<path d="M3.5 6.5h17M3.5 12h17M3.5 17.5h17" />)
