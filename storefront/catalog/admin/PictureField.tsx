import { useEffect, useRef, useState } from 'react'
import { styled } from 'styled-components'
import { limits, megabytes } from '#schema/rules/limits'
import { asSignedIn } from '../../account/as-signed-in.ts'
import { messageOf } from '../../data/errors.ts'
import { color, size, space } from '../../theme/tokens.ts'
import { notify } from '../../ui/toast.ts'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { upload } from '../../data/upload.ts'
import { UploadPictureDocument } from './ProductEdit.gql.ts'

const MOST = megabytes(limits.pictureBytes)

interface PictureFieldProps {
  /** Address of the picture. */
  value: string
  onChange: (image: string) => void
  error?: string
}

/** The product's picture: seen as in the shop, replaced by dropping, choosing or pasting a file. */
export function PictureField({ value, onChange, error }: PictureFieldProps) {
  const [progress, setProgress] = useState<number | null>(null)
  const [preview, setPreview] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  async function send(file: File) {
    setProblem(null)
    setProgress(0)
    showAtOnce(file)
    abort.current = new AbortController()
    const { signal } = abort.current
    try {
      const { uploadPicture } = await asSignedIn(token =>
        upload(UploadPictureDocument, { file }, { token, onProgress: setProgress, signal }),
      )
      const [refusal] = uploadPicture.userErrors
      if (uploadPicture.image) {
        onChange(uploadPicture.image)
        notify.success('Image uploaded successfully.')
      } else {
        setProblem(refusal?.message ?? 'The picture was not taken.')
      }
    } catch (thrown) {
      if (!signal.aborted) setProblem(messageOf(thrown))
    } finally {
      setProgress(null)
      setPreview(null)
    }
  }

  /** The file itself, until the shop has its own copy. A data address: the page's security policy allows those. */
  function showAtOnce(file: File) {
    const reader = new FileReader()
    reader.addEventListener('load', () => setPreview(String(reader.result)))
    reader.readAsDataURL(file)
  }

  return (
    <Frame>
      <Shown>
        {(preview ?? value) ? (
          <Picture src={preview ?? value} alt="The product’s picture" sizes="320px" priority="high" />
        ) : (
          <p>No picture yet</p>
        )}
      </Shown>
      {progress !== null && (
        <ProgressBar
          label={progress < 1 ? 'Uploading the picture' : 'Checking the picture'}
          value={progress < 1 ? progress : undefined}
        />
      )}
      <FileDrop
        label="Drop a picture here, or choose one"
        hint={`JPG or PNG, at most ${MOST}`}
        accept={{ 'image/jpeg': ['.jpg', '.jpeg'], 'image/png': ['.png'] }}
        maxSize={limits.pictureBytes}
        wrongKind="Please choose a JPG or PNG picture."
        tooLarge={`The picture is larger than ${MOST}. Please choose a smaller one.`}
        disabled={progress !== null}
        error={problem}
        onFile={file => void send(file)}
        onRefused={setProblem}
      />
      <TextField
        label="Picture address"
        value={value}
        onChange={event => onChange(event.target.value)}
        error={error}
        name="image"
        autoComplete="off"
      />
    </Frame>
  )
}

const Frame = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[3]};
`
const Shown = styled.div`
  display: grid;
  aspect-ratio: 1;
  background: ${color.band};
  p {
    place-self: center;
    font-size: ${size.sm};
    color: ${color.textQuiet};
  }
`
