import { type ReactNode, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { DownloadIcon } from '../ui/page-icons.tsx'
import { notify } from '../ui/toast.ts'
import { saveFile } from './download.ts'
import { messageOf } from './errors.ts'

interface DownloadButtonProps {
  /** Its name is what it is saved as. */
  load: () => Promise<File>
  title?: string
  disabledReason?: string | null
  children: ReactNode
}

/** Fetches a file when it is pressed, and saves it; says so when it cannot be had. */
export function DownloadButton({ load, title, disabledReason, children }: DownloadButtonProps) {
  const [loading, setLoading] = useState(false)

  async function download() {
    setLoading(true)
    try {
      saveFile(await load())
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setLoading(false)
    }
  }

  return (
    <Button
      variant="quiet"
      size="sm"
      loading={loading}
      icon={<DownloadIcon size={18} />}
      onClick={() => void download()}
      title={title}
      disabledReason={disabledReason}
    >
      {children}
    </Button>
  )
}
