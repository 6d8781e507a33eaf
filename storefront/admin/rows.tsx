import { styled } from 'styled-components'
import { formatAgo, formatMoment } from '../ui/dates.ts'
import { notify } from '../ui/toast.ts'
import { color, control, size } from '../theme/tokens.ts'
import { iconButtonLook, IconButton } from '../ui/IconButton.tsx'
import { Link } from '../ui/Link.tsx'
import { EditIcon } from '../ui/admin-icons.tsx'
import { TrashIcon } from '../ui/page-icons.tsx'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'

/** The end of an id, which is the part that differs; pressing it copies the whole id. */
export function ShortId({ id }: { id: string }) {
  const copy = () =>
    navigator.clipboard.writeText(id).then(
      () => notify.success('ID copied.'),
      () => notify.error(id),
    )
  return (
    <Id type="button" title={`${id} (press to copy)`} onClick={() => void copy()}>
      …{id.slice(-8)}
      <VisuallyHidden>, copy the whole ID</VisuallyHidden>
    </Id>
  )
}

/** How long ago, with the exact time on hover. */
export function Ago({ at }: { at: string }) {
  return (
    <Time dateTime={at} title={formatMoment(at)}>
      {formatAgo(at)}
    </Time>
  )
}

/** A cell with a quieter line below, in `<small>`. */
export const TwoLines = styled.span`
  display: block;
  overflow-wrap: anywhere;
  small {
    display: block;
    font-size: ${size.xs};
    color: ${color.textQuiet};
  }
`

interface RowActionsProps {
  name: string
  editPath: string
  onDelete: () => void
  /** Why it cannot be deleted. */
  keptBecause?: string | null
}

export function RowActions({ name, editPath, onDelete, keptBecause }: RowActionsProps) {
  return (
    <Actions>
      <IconLink to={editPath} aria-label={`Edit ${name}`} title="Edit" $size="sm">
        <EditIcon size={18} />
      </IconLink>
      <IconButton
        label={`Delete ${name}`}
        title={keptBecause ?? 'Delete'}
        size="sm"
        disabled={Boolean(keptBecause)}
        onClick={onDelete}
      >
        <TrashIcon size={18} />
      </IconButton>
    </Actions>
  )
}

const Time = styled.time`
  display: inline-block;
  &::first-letter {
    text-transform: uppercase;
  }
`
const Id = styled.button`
  padding: 0.25rem 0;
  border: 0;
  background: none;
  font-size: ${size.xs};
  font-variant-numeric: tabular-nums;
  color: ${color.textQuiet};
  cursor: copy;
  &:hover {
    color: ${color.text};
  }
  @media (pointer: coarse) {
    min-height: ${control.md};
  }
`
const Actions = styled.span`
  display: inline-flex;
`
const IconLink = styled(Link)<{ $size?: 'sm' | 'md' }>`
  ${iconButtonLook}
`
