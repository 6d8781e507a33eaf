import { type ReactNode, useId } from 'react'
import { type Accept, useDropzone } from 'react-dropzone'
import { styled } from 'styled-components'
import { color, motion, radius, size, space, weight } from '../theme/tokens.ts'
import { UploadIcon } from './admin-icons.tsx'
import { Problem } from './Problem.tsx'

interface FileDropProps {
  /** What to drop or choose: "Drop a picture here, or choose one". */
  label: ReactNode
  hint: ReactNode
  /** MIME types and the endings that go with them. */
  accept: Accept
  /** In bytes. */
  maxSize: number
  /** Why a file of the wrong kind or size was not taken. */
  wrongKind: string
  tooLarge: string
  error?: string | null
  disabled?: boolean
  /** Several at a time; one when left out. */
  multiple?: boolean
  /** For each file that was taken. */
  onFile: (file: File) => void
  /** For each file that was not. */
  onRefused: (reason: string, name: string) => void
}

/** A place to drop files on, paste them into or choose them from. */
export function FileDrop({
  label,
  hint,
  accept,
  maxSize,
  wrongKind,
  tooLarge,
  error,
  disabled,
  multiple = false,
  onFile,
  onRefused,
}: FileDropProps) {
  const id = useId()
  const { getRootProps, getInputProps, isDragActive } = useDropzone({
    accept,
    maxSize,
    multiple,
    disabled,
    // The input itself is what the keyboard reaches.
    noKeyboard: true,
    onDrop: (files, refused) => {
      for (const file of files) onFile(file)
      // One word about several that were dropped where one is wanted.
      for (const { file, errors } of multiple ? refused : refused.slice(0, 1))
        onRefused(
          errors.some(({ code }) => code === 'file-too-large')
            ? tooLarge
            : errors.some(({ code }) => code === 'too-many-files')
              ? 'Please drop one file at a time.'
              : wrongKind,
          file.name,
        )
    },
  })
  return (
    <div>
      <Zone
        {...getRootProps({ role: undefined, tabIndex: undefined })}
        $over={isDragActive}
        data-disabled={disabled || undefined}
      >
        <UploadIcon size={22} />
        <label htmlFor={`${id}-file`}>{label}</label>
        <p id={`${id}-hint`}>{hint}</p>
        <input
          {...getInputProps({ tabIndex: 0, style: undefined, 'aria-label': undefined })}
          id={`${id}-file`}
          aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
          onClick={event => event.stopPropagation()}
        />
      </Zone>
      {error && <Below id={`${id}-error`}>{error}</Below>}
    </div>
  )
}

const Zone = styled.div<{ $over: boolean }>`
  position: relative;
  display: grid;
  justify-items: center;
  gap: ${space[1]};
  padding: ${space[4]};
  border: 1px dashed ${({ $over }) => ($over ? color.accent : color.lineStrong)};
  border-radius: ${radius.md};
  background: ${({ $over }) => ($over ? color.band : 'transparent')};
  text-align: center;
  cursor: pointer;
  transition:
    border-color ${motion.fast},
    background ${motion.fast};
  &:hover {
    border-color: ${color.text};
  }
  &:focus-within {
    outline: 2px solid ${color.focus};
    outline-offset: 3px;
  }
  &[data-disabled] {
    cursor: not-allowed;
    color: ${color.textQuiet};
  }
  label {
    font-size: ${size.sm};
    font-weight: ${weight.strong};
    cursor: inherit;
    pointer-events: none;
  }
  p {
    font-size: ${size.xs};
    color: ${color.textQuiet};
  }
  input {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    opacity: 0;
    cursor: inherit;
  }
`
const Below = styled(Problem)`
  margin-top: ${space[2]};
`
