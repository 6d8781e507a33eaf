import { styled } from 'styled-components'
import { size, space } from '../theme/tokens.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { CloseIcon } from '../ui/icons.tsx'
import { Problem } from '../ui/Problem.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import type { Sending } from './use-uploads.ts'

interface UploadListProps {
  sending: readonly Sending[]
  onDismiss: (id: number) => void
}

/** How far each file has got, or why it was not taken. */
export function UploadList({ sending, onDismiss }: UploadListProps) {
  return sending.map(({ id, name, progress, problem }) =>
    problem ? (
      <Line key={id}>
        <Problem id={`upload-${id}`}>
          {name}: {problem}
        </Problem>
        <IconButton size="sm" label={`Dismiss the message about ${name}`} onClick={() => onDismiss(id)}>
          <CloseIcon size={16} />
        </IconButton>
      </Line>
    ) : (
      <ProgressBar
        key={id}
        label={progress === null ? `${name} waits` : progress < 1 ? `Uploading ${name}` : `Checking ${name}`}
        value={progress === null ? 0 : progress < 1 ? progress : undefined}
      />
    ),
  )
}

const Line = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: ${space[2]};
  font-size: ${size.sm};
`
