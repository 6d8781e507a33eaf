import { type FormEvent, useState } from 'react'
import { styled } from 'styled-components'
import { ownerLimits } from '#schema/rules/owner-limits'
import { download as shape } from '#schema/rules/shapes/download'
import { useUnsavedWork } from '../../account/interruption.ts'
import { DownloadButton } from '../../data/DownloadButton.tsx'
import { issuesOf, useProblems } from '../../data/use-problems.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { color, size, space } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { fileSize } from '../../ui/file-size.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { TrashIcon } from '../../ui/page-icons.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/toast.ts'
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx'
import type { DownloadFragment } from '../Download.gql.ts'
import { fetchDownload } from '../fetch-download.ts'
import { type ProductDownloadsFragment, RenameDownloadDocument } from './DownloadsPanel.gql.ts'

interface DownloadRowProps {
  productId: string
  download: DownloadFragment
  place: number
  onSaved: (product: ProductDownloadsFragment) => void
  onRemove: () => void
}

/** A file with the title shoppers read, and the way out. */
export function DownloadRow({ productId, download, place, onSaved, onRemove }: DownloadRowProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const { form, problems, show } = useProblems()
  const [rename, { loading }] = useShopMutation(RenameDownloadDocument)
  const title = typed ?? download.title
  const isDirty = title !== download.title
  useUnsavedWork(isDirty)

  async function save(event: FormEvent) {
    event.preventDefault()
    if (show(issuesOf(shape, { title }))) return
    const payload = await rename(
      { productId, id: download.id, title },
      { onRefused: ({ userErrors }) => show(userErrors) },
    )
    if (!payload?.product) return
    setTyped(null)
    onSaved(payload.product)
    notify.success('Title saved.')
  }

  return (
    <li>
      <Row ref={form} noValidate onSubmit={event => void save(event)} aria-label={`Download ${place + 1}`}>
        <TextField
          name="title"
          label={`Title of download ${place + 1}`}
          maxLength={ownerLimits.download.title}
          autoComplete="off"
          value={title}
          error={problems['title']}
          onChange={({ target }) => {
            show([])
            setTyped(target.value)
          }}
        />
        <Tools>
          <small>PDF, {fileSize(download.bytes)}</small>
          {isDirty && (
            <Button type="submit" size="sm" loading={loading}>
              Save title
            </Button>
          )}
          <DownloadButton load={() => fetchDownload(`/api/products/${encodeURIComponent(productId)}`, download)}>
            Download<VisuallyHidden> {download.title}</VisuallyHidden>
          </DownloadButton>
          <IconButton label={`Remove ${download.title}`} onClick={onRemove}>
            <TrashIcon size={20} />
          </IconButton>
        </Tools>
      </Row>
    </li>
  )
}

const Row = styled.form`
  display: flex;
  flex-wrap: wrap;
  align-items: end;
  gap: ${space[2]} ${space[4]};
  > :first-child {
    flex: 1 1 16rem;
  }
`
const Tools = styled.div`
  display: flex;
  align-items: center;
  gap: ${space[3]};
  margin-left: auto;
  small {
    font-size: ${size.sm};
    color: ${color.textQuiet};
  }
`
