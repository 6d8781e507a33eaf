// What only administrators see.
import { icon } from './icons.tsx'

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
export const EditIcon = icon(
  <>
    <path d="m4 20 1-4.5L16 4.5l3.5 3.5-11 11z" />
    <path d="m13.5 7 3.5 3.5" />
  </>,
)
export const UploadIcon = icon(<path d="M12 16V4m-5 5 5-5 5 5M4 16.5v4h16v-4" />)
export const ArrowUpIcon = icon(<path d="M12 20V4.5m-6 6 6-6 6 6" />)
export const ArrowDownIcon = icon(<path d="M12 4v15.5m-6-6 6 6 6-6" />)
export const UndoIcon = icon(<path d="M8.5 4.5 4 9l4.5 4.5M4.5 9H14a5.5 5.5 0 0 1 0 11h-3" />)
