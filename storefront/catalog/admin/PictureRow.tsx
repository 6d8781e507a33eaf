import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { color, radius, space } from '../../theme/tokens.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { ArrowDownIcon, ArrowUpIcon } from '../../ui/admin-icons.tsx'
import { TrashIcon } from '../../ui/page-icons.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { DescribedPicture } from './product-values.ts'

interface PictureRowProps {
  picture: DescribedPicture
  place: number
  isLast: boolean
  /** The image of the picture that is being dragged, if one is. */
  dragged: string | null
  onDrag: (image: string | null) => void
  /** Called when the dragged picture is dropped on this one. */
  onDrop: () => void
  onDescribe: (alt: string) => void
  onStep: (step: 1 | -1) => void
  onRemove: () => void
}

/** A picture among those of a product: what it shows, its place, and the way out. */
export function PictureRow(props: PictureRowProps) {
  const { picture, place, isLast, dragged, onDrag, onDrop, onDescribe, onStep, onRemove } = props
  return (
    <Row
      data-image={picture.image}
      $dragged={picture.image === dragged}
      onDragOver={event => dragged !== null && event.preventDefault()}
      onDrop={event => {
        if (dragged === null) return
        event.preventDefault()
        onDrop()
      }}
    >
      <Thumb
        draggable
        title="Drag to another place"
        onDragStart={() => onDrag(picture.image)}
        onDragEnd={() => onDrag(null)}
      >
        <Picture src={picture.image} alt={picture.alt || `Picture ${place + 1}`} sizes="64px" />
      </Thumb>
      <TextField
        label={`What picture ${place + 1} shows`}
        value={picture.alt}
        maxLength={limits.pictureAlt}
        autoComplete="off"
        onChange={({ target }) => onDescribe(target.value)}
      />
      <Tools>
        <IconButton
          size="sm"
          data-step="-1"
          label={`Move picture ${place + 1} earlier`}
          disabled={place === 0}
          onClick={() => onStep(-1)}
        >
          <ArrowUpIcon size={18} />
        </IconButton>
        <IconButton
          size="sm"
          data-step="1"
          label={`Move picture ${place + 1} later`}
          disabled={isLast}
          onClick={() => onStep(1)}
        >
          <ArrowDownIcon size={18} />
        </IconButton>
        <IconButton size="sm" label={`Remove picture ${place + 1}`} onClick={onRemove}>
          <TrashIcon size={18} />
        </IconButton>
      </Tools>
    </Row>
  )
}

const Row = styled.li<{ $dragged: boolean }>`
  display: grid;
  grid-template-columns: 4rem minmax(0, 1fr);
  gap: ${space[2]} ${space[3]};
  align-items: start;
  padding: ${space[2]};
  border: 1px solid ${color.line};
  border-radius: ${radius.md};
  opacity: ${({ $dragged }) => ($dragged ? 0.5 : 1)};
`
const Thumb = styled.div`
  grid-row: span 2;
  cursor: grab;
  img {
    pointer-events: none;
  }
`
const Tools = styled.div`
  display: flex;
  justify-content: flex-end;
  gap: ${space[1]};
`
