import { type DragEvent, useEffect, useRef, useState } from 'react'
import { styled } from 'styled-components'
import { NO_PICTURE } from '#schema/rules/image'
import { limits, megabytes } from '#schema/rules/limits'
import { upload } from '../../data/upload.ts'
import { color, radius, size, space } from '../../theme/tokens.ts'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ArrowDownIcon, ArrowUpIcon, TrashIcon } from '../../ui/icons.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx'
import { UploadList } from '../UploadList.tsx'
import { useUploads } from '../use-uploads.ts'
import type { DescribedPicture } from './product-values.ts'
import { UploadPictureDocument } from './ProductEdit.gql.ts'

const MOST = megabytes(limits.pictureBytes)
const FULL = `A product has at most ${limits.pictures} pictures.`

interface PicturesFieldProps {
  /** The first is the one of lists; there is always one. */
  pictures: DescribedPicture[]
  /** What is saved: a picture taken out before is gone for good afterwards. */
  version: number
  /** Changes what there is at that moment: uploads end when they end. */
  onChange: (edit: (before: DescribedPicture[]) => DescribedPicture[]) => void
  error?: string
}

/** All pictures of a product: several added at once, described, put in order by dragging or by buttons, and removed. */
export function PicturesField({ pictures, version, onChange, error }: PicturesFieldProps) {
  const [removed, setRemoved] = useState<{ picture: DescribedPicture; place: number; version: number } | null>(null)
  const [said, setSaid] = useState('')
  const [dragged, setDragged] = useState<string | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const undo = useRef<HTMLButtonElement>(null)
  /** Which button to focus once the list is drawn anew. */
  const focus = useRef<{ image: string; step: 1 | -1 } | null>(null)
  const room = limits.pictures - pictures.filter(isPicture).length
  const { sending, send, refuse, dismiss } = useUploads({
    room,
    full: FULL,
    store: async (file, options) => (await upload(UploadPictureDocument, 'file', file, options)).uploadPicture,
    onStored: image => {
      onChange(before => [...before.filter(isPicture), { image, alt: '' }].slice(0, limits.pictures))
      setSaid('Picture added.')
    },
  })

  useEffect(() => {
    if (!focus.current) return
    const { image, step } = focus.current
    focus.current = null
    const row = [...(list.current?.children ?? [])].find(row => row.getAttribute('data-image') === image)
    const [earlier, later] = row?.querySelectorAll<HTMLButtonElement>('[data-step]') ?? []
    const [wanted, other] = step === -1 ? [earlier, later] : [later, earlier]
    ;(wanted?.disabled ? other : wanted)?.focus()
  })

  useEffect(() => {
    if (removed) undo.current?.focus()
  }, [removed])

  function move(image: string, to: number) {
    onChange(before => {
      const picture = before.find(each => each.image === image)
      return picture ? before.filter(each => each !== picture).toSpliced(to, 0, picture) : before
    })
    setSaid(`Moved to place ${to + 1} of ${pictures.length}.`)
  }

  function remove(picture: DescribedPicture, place: number) {
    const others = pictures.filter(each => each.image !== picture.image)
    onChange(() => (others.length > 0 ? others : [{ image: NO_PICTURE, alt: '' }]))
    setRemoved({ picture, place, version })
  }

  function putBack() {
    if (!removed) return
    const { picture, place } = removed
    onChange(before => before.filter(isPicture).toSpliced(place, 0, picture).slice(0, limits.pictures))
    setRemoved(null)
    focus.current = { image: picture.image, step: -1 }
  }

  const dropOn = (place: number) => (event: DragEvent) => {
    if (dragged === null) return
    event.preventDefault()
    move(dragged, place)
    setDragged(null)
  }

  const shown = pictures.filter(isPicture)
  return (
    <Frame>
      {shown.length > 0 && (
        <Rows ref={list} aria-label="Pictures in their order">
          {shown.map((picture, place) => (
            <Row
              key={picture.image}
              data-image={picture.image}
              $dragged={picture.image === dragged}
              onDragOver={event => dragged !== null && event.preventDefault()}
              onDrop={dropOn(place)}
            >
              <Thumb
                draggable
                title="Drag to another place"
                onDragStart={() => setDragged(picture.image)}
                onDragEnd={() => setDragged(null)}
              >
                <Picture src={picture.image} alt={picture.alt || `Picture ${place + 1}`} sizes="64px" />
              </Thumb>
              <TextField
                label={`What picture ${place + 1} shows`}
                value={picture.alt}
                maxLength={limits.pictureAlt}
                autoComplete="off"
                onChange={({ target }) =>
                  onChange(before =>
                    before.map(each => (each.image === picture.image ? { ...each, alt: target.value } : each)),
                  )
                }
              />
              <Tools>
                <IconButton
                  size="sm"
                  data-step="-1"
                  label={`Move picture ${place + 1} earlier`}
                  disabled={place === 0}
                  onClick={() => {
                    focus.current = { image: picture.image, step: -1 }
                    move(picture.image, place - 1)
                  }}
                >
                  <ArrowUpIcon size={18} />
                </IconButton>
                <IconButton
                  size="sm"
                  data-step="1"
                  label={`Move picture ${place + 1} later`}
                  disabled={place === shown.length - 1}
                  onClick={() => {
                    focus.current = { image: picture.image, step: 1 }
                    move(picture.image, place + 1)
                  }}
                >
                  <ArrowDownIcon size={18} />
                </IconButton>
                <IconButton size="sm" label={`Remove picture ${place + 1}`} onClick={() => remove(picture, place)}>
                  <TrashIcon size={18} />
                </IconButton>
              </Tools>
            </Row>
          ))}
        </Rows>
      )}
      {removed?.version === version && !pictures.some(({ image }) => image === removed.picture.image) && (
        <Line role="status">
          Picture removed.{' '}
          <TextButton ref={undo} onClick={putBack}>
            Put it back
          </TextButton>
        </Line>
      )}
      <UploadList sending={sending} onDismiss={dismiss} />
      <FileDrop
        multiple
        label="Drop more pictures here, or choose several"
        hint={room > 0 ? `JPG or PNG, at most ${MOST} each; room for ${room} more` : FULL}
        accept={{ 'image/jpeg': ['.jpg', '.jpeg'], 'image/png': ['.png'] }}
        maxSize={limits.pictureBytes}
        wrongKind="Please choose JPG or PNG pictures."
        tooLarge={`The picture is larger than ${MOST}. Please choose a smaller one.`}
        disabled={room <= 0}
        error={error}
        onFile={send}
        onRefused={refuse}
      />
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </Frame>
  )
}

const isPicture = ({ image }: DescribedPicture) => image !== '' && image !== NO_PICTURE

const Frame = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[3]};
`
const Rows = styled.ol`
  display: grid;
  gap: ${space[2]};
  padding: 0;
  list-style: none;
`
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
const Line = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: ${space[2]};
  font-size: ${size.sm};
`
