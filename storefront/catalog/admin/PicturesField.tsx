import { type RefObject, useEffect, useRef, useState } from 'react'
import { styled } from 'styled-components'
import { NO_PICTURE } from '#schema/rules/image'
import { limits, megabytes } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { upload } from '../../data/upload.ts'
import { size, space } from '../../theme/tokens.ts'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx'
import { UploadList } from '../../data/UploadList.tsx'
import { useUploads } from '../../data/use-uploads.ts'
import { PictureRow } from './PictureRow.tsx'
import type { DescribedPicture } from './product-values.ts'
import { UploadPictureDocument } from './ProductEdit.gql.ts'

const MOST = megabytes(limits.pictureBytes)
const FULL = `A product has at most ${ownerLimits.pictures} pictures.`

interface PicturesFieldProps {
  /** Lists show the first one; there is always one. */
  pictures: DescribedPicture[]
  /** The saved version: after a save, a picture taken out before it cannot be put back. */
  version: number
  /** A function of the latest pictures, because uploads can end at any time. */
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
  const focusLater = useFocusOnStep(list)
  const room = ownerLimits.pictures - pictures.filter(isPicture).length
  const { sending, send, refuse, dismiss } = useUploads({
    room,
    full: FULL,
    store: async (file, options) => {
      const { image, userErrors } = (await upload(UploadPictureDocument, { file }, options)).uploadPicture
      return { taken: image, userErrors }
    },
    onStored: image => {
      onChange(before => [...before.filter(isPicture), { image, alt: '' }].slice(0, ownerLimits.pictures))
      setSaid('Picture added.')
    },
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
    onChange(before => before.filter(isPicture).toSpliced(place, 0, picture).slice(0, ownerLimits.pictures))
    setRemoved(null)
    focusLater(picture.image, -1)
  }

  const shown = pictures.filter(isPicture)
  return (
    <Frame>
      {shown.length > 0 && (
        <Rows ref={list} aria-label="Pictures in their order">
          {shown.map((picture, place) => (
            <PictureRow
              key={picture.image}
              picture={picture}
              place={place}
              isLast={place === shown.length - 1}
              dragged={dragged}
              onDrag={setDragged}
              onDrop={() => {
                if (dragged !== null) move(dragged, place)
                setDragged(null)
              }}
              onDescribe={alt =>
                onChange(before => before.map(each => (each.image === picture.image ? { ...each, alt } : each)))
              }
              onStep={step => {
                focusLater(picture.image, step)
                move(picture.image, place + step)
              }}
              onRemove={() => remove(picture, place)}
            />
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

/** Focuses the button that moves a picture one step, or its other one, once the list is drawn again. */
function useFocusOnStep(list: RefObject<HTMLOListElement | null>) {
  const wanted = useRef<{ image: string; step: 1 | -1 } | null>(null)
  useEffect(() => {
    if (!wanted.current) return
    const { image, step } = wanted.current
    wanted.current = null
    const row = [...(list.current?.children ?? [])].find(row => row.getAttribute('data-image') === image)
    const [earlier, later] = row?.querySelectorAll<HTMLButtonElement>('[data-step]') ?? []
    const [first, other] = step === -1 ? [earlier, later] : [later, earlier]
    ;(first?.disabled ? other : first)?.focus()
  })
  return (image: string, step: 1 | -1) => {
    wanted.current = { image, step }
  }
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
const Line = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: ${space[2]};
  font-size: ${size.sm};
`
