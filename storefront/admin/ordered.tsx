import { styled } from 'styled-components'
import { color, size, space } from '../theme/tokens.ts'
import { ArrowDownIcon, ArrowUpIcon } from '../ui/admin-icons.tsx'
import { IconButton } from '../ui/IconButton.tsx'

interface MoveButtonsProps {
  /** What is moved, for screen readers. */
  label: string
  /** Of how many, counted from 0. */
  place: number
  of: number
  onMove: (to: number) => void
}

/** Move a row of an ordered list one place up or down. */
export function MoveButtons({ label, place, of, onMove }: MoveButtonsProps) {
  return (
    <>
      <IconButton size="sm" label={`Move ${label} up`} disabled={place === 0} onClick={() => onMove(place - 1)}>
        <ArrowUpIcon size={16} />
      </IconButton>
      <IconButton size="sm" label={`Move ${label} down`} disabled={place === of - 1} onClick={() => onMove(place + 1)}>
        <ArrowDownIcon size={16} />
      </IconButton>
    </>
  )
}

/** The list with one of its things at another place. */
export const moved = <T,>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1))

/** Rows in an order that the shop chooses; the buttons of each, in a span, stand at its end. */
export const OrderedList = styled.ol`
  display: grid;
  padding: 0;
  list-style: none;
  font-size: ${size.sm};
  li {
    display: flex;
    align-items: center;
    gap: ${space[2]};
    border-bottom: 1px solid ${color.line};
  }
  small {
    color: ${color.textQuiet};
  }
  > li > span:last-child {
    flex: none;
    margin-left: auto;
  }
`
