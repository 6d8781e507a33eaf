import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { styled } from 'styled-components'
import { limits, megabytes } from '#schema/rules/limits'
import { UploadList } from '../data/UploadList.tsx'
import { useUploads } from '../data/use-uploads.ts'
import { upload } from '../data/upload.ts'
import { color, radius, space, weight } from '../theme/tokens.ts'
import { FileDrop } from '../ui/FileDrop.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { TrashIcon } from '../ui/page-icons.tsx'
import { Picture } from '../ui/Picture.tsx'
import { TextField } from '../ui/TextField.tsx'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import { UploadReviewPictureDocument } from './CreateReview.gql.ts'

const MOST = megabytes(limits.pictureBytes)
const { each: MOST_PICTURES } = limits.reviewPictures
const FULL = `A review has at most ${MOST_PICTURES} pictures.`

interface TakenPicture {
  image: string
  alt: string
}

interface ReviewPicturesFieldProps {
  /** Gets the focus when something is wrong, and when the element that had it is gone. */
  ref: Ref<HTMLFieldSetElement>
  pictures: TakenPicture[]
  /** A function of the latest pictures, because uploads can end at any time. */
  onChange: (edit: (before: TakenPicture[]) => TakenPicture[]) => void
  /** Called with whether pictures are being sent. */
  onBusy: (busy: boolean) => void
  error?: string | undefined
}

/** Pictures of what was knitted: several chosen at once, described and taken out again. */
export default function ReviewPicturesField({ ref, pictures, onChange, onBusy, error }: ReviewPicturesFieldProps) {
  const frame = useRef<HTMLFieldSetElement>(null)
  useImperativeHandle(ref, () => frame.current as HTMLFieldSetElement)
  const [said, setSaid] = useState('')
  const room = MOST_PICTURES - pictures.length
  const { sending, send, refuse, dismiss } = useUploads({
    room,
    full: FULL,
    store: async (file, options) => {
      const { image, userErrors } = (await upload(UploadReviewPictureDocument, { file }, options)).uploadReviewPicture
      return { taken: image, userErrors }
    },
    onStored: image => {
      onChange(before => [...before, { image, alt: '' }])
      setSaid('Picture added.')
    },
  })
  const busy = sending.some(({ problem }) => problem === null)
  useEffect(() => onBusy(busy), [busy, onBusy])

  function remove(image: string) {
    onChange(before => before.filter(picture => picture.image !== image))
    setSaid('Picture removed.')
    frame.current?.focus()
  }

  return (
    <Frame ref={frame} tabIndex={-1}>
      <legend>Pictures of what you knitted (optional)</legend>
      {pictures.length > 0 && (
        <Rows aria-label="Your pictures">
          {pictures.map(({ image, alt }, place) => (
            <li key={image}>
              <Thumb src={image} alt={alt || `Picture ${place + 1}`} sizes="72px" />
              <TextField
                label={`What picture ${place + 1} shows`}
                optional
                value={alt}
                maxLength={limits.pictureAlt}
                autoComplete="off"
                onChange={({ target }) =>
                  onChange(before => before.map(each => (each.image === image ? { ...each, alt: target.value } : each)))
                }
              />
              <IconButton size="sm" label={`Remove picture ${place + 1}`} onClick={() => remove(image)}>
                <TrashIcon size={18} />
              </IconButton>
            </li>
          ))}
        </Rows>
      )}
      <UploadList sending={sending} onDismiss={dismiss} />
      <FileDrop
        multiple
        label="Drop pictures here, or choose several"
        hint={
          room > 0
            ? `JPG or PNG, at most ${MOST} each; room for ${room} more. Where they were taken is not kept.`
            : FULL
        }
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

const Frame = styled.fieldset`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[3]};
  min-width: 0;
  padding: 0;
  border: 0;
  legend {
    margin-bottom: ${space[3]};
    font-weight: ${weight.strong};
  }
`
const Rows = styled.ul`
  display: grid;
  gap: ${space[3]};
  padding: 0;
  list-style: none;
  li {
    display: grid;
    grid-template-columns: 4.5rem minmax(0, 1fr) auto;
    gap: ${space[3]};
    align-items: end;
  }
`
const Thumb = styled(Picture)`
  overflow: hidden;
  border: 1px solid ${color.line};
  border-radius: ${radius.md};
  img {
    object-fit: cover;
  }
`
