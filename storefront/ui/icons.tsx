// Drawn for Skein on a 24 px grid: one stroke of 1.5, round ends, no fills.
import type { ReactNode, SVGProps } from 'react'

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'children'> {
  /** Side in pixels. */
  size?: number
}

const icon = (paths: ReactNode) =>
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

// ---- the craft ----
export const NeedleIcon = icon(
  <>
    <circle cx="5" cy="5" r="1.75" />
    <path d="m6.3 6.3 14.2 14.2" />
    <circle cx="19" cy="5" r="1.75" />
    <path d="m17.7 6.3-4.2 4.2M10.5 13.5l-7 7" />
  </>,
)
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
export const SkeinIcon = icon(
  <>
    <path d="M7.5 6.5h9a5 5 0 0 1 0 10h-9a5 5 0 0 1 0-10z" />
    <path d="M9.2 6.5c-.8 3-.8 7 0 10M14.8 6.5c.8 3 .8 7 0 10" />
    <path d="m3.5 9 3.3 6.8M6 7l1.4 3M17 8.5l3.3 6.2M16.5 13l1.5 3" />
    <path d="M19.5 15.6c1.4 2 .8 4-2.5 4.4" />
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

// ---- the shop ----
export const BasketIcon = icon(
  <>
    <path d="M3 10h18l-2 10H5z" />
    <path d="m7.5 10 3-6M16.5 10l-3-6M9.5 13.5v3M14.5 13.5v3" />
  </>,
)
export const AddToBasketIcon = icon(
  <>
    <path d="M21 12.5V10H3l2 10h7" />
    <path d="m7.5 10 3-6M16.5 10l-3-6M18 15v7M14.5 18.5h7" />
  </>,
)
export const SearchIcon = icon(
  <>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="m15.5 15.5 5 5" />
  </>,
)
export const EnlargeIcon = icon(<path d="M14.5 4.5h5v5m0-5-6 6M9.5 19.5h-5v-5m0 5 6-6" />)
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

// ---- controls ----
export const HeartIcon = icon(
  <path d="M12 20S4 15.2 4 9.3A4.3 4.3 0 0 1 12 7a4.3 4.3 0 0 1 8 2.3C20 15.2 12 20 12 20z" />,
)
export const BellIcon = icon(
  <path d="M5 17h14c-1.6-1.6-2-3.4-2-6.5A5 5 0 0 0 12 5a5 5 0 0 0-5 5.5c0 3.1-.4 4.9-2 6.5zM12 5V3.5M10 20a2.2 2.2 0 0 0 4 0" />,
)
export const CloseIcon = icon(<path d="m5.5 5.5 13 13M18.5 5.5l-13 13" />)
export const CheckIcon = icon(<path d="m4.5 12.5 5 5 10-11" />)
export const PlusIcon = icon(<path d="M12 5v14M5 12h14" />)
export const MinusIcon = icon(<path d="M5 12h14" />)
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
export const ChevronLeftIcon = icon(<path d="M15 5.5 8.5 12l6.5 6.5" />)
export const ChevronRightIcon = icon(<path d="m9 5.5 6.5 6.5L9 18.5" />)
export const ArrowLeftIcon = icon(<path d="M20.5 12h-17m6-6-6 6 6 6" />)
export const ArrowRightIcon = icon(<path d="M3.5 12h17m-6-6 6 6-6 6" />)
export const CopyIcon = icon(
  <>
    <path d="M8.5 8.5h12v12h-12z" />
    <path d="M15.5 8.5v-5h-12v12h5" />
  </>,
)
export const KeyIcon = icon(
  <>
    <circle cx="7.5" cy="16.5" r="4" />
    <path d="M10.5 13.5 20.5 3.5M16 8l3.5 3.5M13.5 10.5l2 2" />
  </>,
)
export const SignalIcon = icon(
  <>
    <circle cx="5.5" cy="18.5" r="2" />
    <path d="M4 11.5a8.5 8.5 0 0 1 8.5 8.5M4 5.5A14.5 14.5 0 0 1 18.5 20" />
  </>,
)
export const TrashIcon = icon(
  <>
    <path d="M4 6.5h16M9 6.5V4h6v2.5M6 6.5l1 14h10l1-14" />
    <path d="M10 10.5v6M14 10.5v6" />
  </>,
)
export const EditIcon = icon(
  <>
    <path d="m4 20 1-4.5L16 4.5l3.5 3.5-11 11z" />
    <path d="m13.5 7 3.5 3.5" />
  </>,
)
export const PauseIcon = icon(<path d="M8.5 5v14M15.5 5v14" />)
export const PlayIcon = icon(<path d="M7.5 4.5v15l12-7.5z" />)
export const UploadIcon = icon(<path d="M12 16V4m-5 5 5-5 5 5M4 16.5v4h16v-4" />)
export const ArrowUpIcon = icon(<path d="M12 20V4.5m-6 6 6-6 6 6" />)
export const ArrowDownIcon = icon(<path d="M12 4v15.5m-6-6 6 6 6-6" />)
export const SlidersIcon = icon(
  <>
    <path d="M3.5 7h9M17.5 7h3M3.5 17h3M11.5 17h9" />
    <circle cx="15" cy="7" r="2.5" />
    <circle cx="9" cy="17" r="2.5" />
  </>,
)
export const MenuIcon = icon(<path d="M3.5 6.5h17M3.5 12h17M3.5 17.5h17" />)
export const DownloadIcon = icon(<path d="M12 4v12m-5-5 5 5 5-5M4 16.5v4h16v-4" />)
export const UndoIcon = icon(<path d="M8.5 4.5 4 9l4.5 4.5M4.5 9H14a5.5 5.5 0 0 1 0 11h-3" />)
