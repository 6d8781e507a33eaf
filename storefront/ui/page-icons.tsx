// What some pages of the shop need, beside icons.tsx.
import { icon } from './icons.tsx'

export const NeedleIcon = icon(
  <>
    <circle cx="5" cy="5" r="1.75" />
    <path d="m6.3 6.3 14.2 14.2" />
    <circle cx="19" cy="5" r="1.75" />
    <path d="m17.7 6.3-4.2 4.2M10.5 13.5l-7 7" />
  </>,
)
export const AddToBasketIcon = icon(
  <>
    <path d="M21 12.5V10H3l2 10h7" />
    <path d="m7.5 10 3-6M16.5 10l-3-6M18 15v7M14.5 18.5h7" />
  </>,
)
export const EnlargeIcon = icon(<path d="M14.5 4.5h5v5m0-5-6 6M9.5 19.5h-5v-5m0 5 6-6" />)
export const BellIcon = icon(
  <path d="M5 17h14c-1.6-1.6-2-3.4-2-6.5A5 5 0 0 0 12 5a5 5 0 0 0-5 5.5c0 3.1-.4 4.9-2 6.5zM12 5V3.5M10 20a2.2 2.2 0 0 0 4 0" />,
)
export const PlusIcon = icon(<path d="M12 5v14M5 12h14" />)
export const MinusIcon = icon(<path d="M5 12h14" />)
export const ChevronLeftIcon = icon(<path d="M15 5.5 8.5 12l6.5 6.5" />)
export const ChevronRightIcon = icon(<path d="m9 5.5 6.5 6.5L9 18.5" />)
export const TrashIcon = icon(
  <>
    <path d="M4 6.5h16M9 6.5V4h6v2.5M6 6.5l1 14h10l1-14" />
    <path d="M10 10.5v6M14 10.5v6" />
  </>,
)
export const PauseIcon = icon(<path d="M8.5 5v14M15.5 5v14" />)
export const PlayIcon = icon(<path d="M7.5 4.5v15l12-7.5z" />)
export const SlidersIcon = icon(
  <>
    <path d="M3.5 7h9M17.5 7h3M3.5 17h3M11.5 17h9" />
    <circle cx="15" cy="7" r="2.5" />
    <circle cx="9" cy="17" r="2.5" />
  </>,
)
export const DownloadIcon = icon(<path d="M12 4v12m-5-5 5 5 5-5M4 16.5v4h16v-4" />)
