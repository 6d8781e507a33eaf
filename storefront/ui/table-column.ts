import type { ReactNode } from 'react'

export interface Column<Row> {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** Figures: aligned right. */
  numeric?: boolean
  sortable?: boolean
  /** What a first press on the header sorts by; ascending unless said otherwise. */
  descendingFirst?: boolean
  /** As in CSS; columns without one share what is left by their content. */
  width?: string
  /** The heading of the card that a row becomes on phones, without the column's name. */
  lead?: boolean
  /** Takes the full width of that card. */
  wide?: boolean
  /** Left out where rows are lines and the window is narrower than a desktop's. */
  minor?: boolean
  /** The header is read by screen readers, but not shown. */
  hideHeader?: boolean
}

export interface TableSort {
  column: string
  descending: boolean
}
