import { useApolloClient, useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { styled } from 'styled-components'
import { megabytes } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { asSignedIn } from '../../account/as-signed-in.ts'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { ListFoot, ListResult, Panel } from '../../admin/AdminList.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { DownloadButton } from '../../data/DownloadButton.tsx'
import { FALLBACK_MESSAGE, messageOf } from '../../data/errors.ts'
import { useListState } from '../../data/list-state.ts'
import { formatMoment } from '../../ui/dates.ts'
import { paths } from '../../paths.ts'
import { color, measure, size, space } from '../../theme/tokens.ts'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/table-column.ts'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { Link } from '../../ui/Link.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { upload } from '../../data/upload.ts'
import {
  ImportProductsDocument,
  type ImportStateFragment,
  ProductImportsDocument,
  ProductImportTemplateDocument,
} from './ProductImport.gql.ts'
import { OneImport, statusWords, trail } from './OneImport.tsx'

const MOST = megabytes(ownerLimits.csvBytes)

/** Without an import in the address: a place for a file, and the imports so far. With one: its rows and what to do with it. */
export default function ImportPage() {
  const id = useSearchParams()[0].get('import')
  return id ? <OneImport key={id} id={id} /> : <AllImports />
}

function AllImports() {
  return (
    <AdminPage title="Import products" trail={trail} actions={<TemplateButton />}>
      <Stack $gap={6}>
        <FileBox>
          <NewImport />
          <Steps>
            <li>
              Start from the template, from an export of the products, or from the product export of a shop at Shopify,
              just as it is: each variant becomes a product, and those of one title a group.
            </li>
            <li>
              Rows with a known SKU change that product; all others make new ones. A column you leave out stays as it
              is; a blank cell erases its text. Dye lots are written as 4412:8|4417:2.
            </li>
            <li>You see what every row would do before anything changes, and can undo the last import.</li>
          </Steps>
        </FileBox>
        <PastImports />
      </Stack>
    </AdminPage>
  )
}

function TemplateButton() {
  const client = useApolloClient()

  async function load() {
    const { data } = await client.query({ query: ProductImportTemplateDocument, fetchPolicy: 'no-cache' })
    if (!data) throw new Error(FALLBACK_MESSAGE)
    return new File([data.productImportTemplate], 'products-template.csv', { type: 'text/csv' })
  }

  return <DownloadButton load={load}>Download template</DownloadButton>
}

function NewImport() {
  const [, setParams] = useSearchParams()
  const invalidate = useInvalidate()
  const [progress, setProgress] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  async function send(file: File) {
    setProblem(null)
    setProgress(0)
    try {
      const { importProducts } = await asSignedIn(token =>
        upload(ImportProductsDocument, { csv: file }, { token, onProgress: setProgress }),
      )
      invalidate('productImports', 'auditLog')
      if (importProducts.productImport) setParams({ import: importProducts.productImport.id })
      else setProblem(importProducts.userErrors[0]?.message ?? 'The file was not taken.')
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setProgress(null)
    }
  }

  return (
    <Stack $gap={3}>
      <FileDrop
        label="Drop a CSV here, or choose one"
        hint={`UTF-8, comma or semicolon, at most ${MOST} and ${ownerLimits.csvRows.toLocaleString('en-US')} rows`}
        accept={{ 'text/csv': ['.csv'], 'application/vnd.ms-excel': ['.csv'], 'text/plain': ['.csv', '.txt'] }}
        maxSize={ownerLimits.csvBytes}
        wrongKind="Please choose a CSV file. In a spreadsheet, save as “CSV UTF-8”."
        tooLarge={`The file is larger than ${MOST}. Please split it.`}
        disabled={progress !== null}
        error={problem}
        onFile={file => void send(file)}
        onRefused={setProblem}
      />
      {progress !== null && (
        <ProgressBar
          label={progress < 1 ? 'Uploading' : 'Reading the rows'}
          value={progress < 1 ? progress : undefined}
        />
      )}
    </Stack>
  )
}

function PastImports() {
  const list = useListState()
  const { data, previousData, error, loading, refetch } = useQuery(ProductImportsDocument, {
    variables: { page: list.page },
  })
  const imports = (data ?? previousData)?.productImports
  return (
    <Panel aria-labelledby="imports">
      <h2 id="imports">Imports so far</h2>
      <ListResult
        total={imports?.total}
        error={error}
        loading={loading}
        onRetry={() => void refetch()}
        empty={<Quiet>No imports yet.</Quiet>}
      >
        {imports && (
          <>
            <DataTable
              caption="Imports"
              columns={importColumns}
              rows={imports.items}
              rowId={item => item.id}
              stale={loading}
            />
            <ListFoot served={imports} list={list} noun="import" />
          </>
        )}
      </ListResult>
    </Panel>
  )
}

const importColumns: Column<ImportStateFragment>[] = [
  {
    id: 'FILE',
    header: 'File',
    lead: true,
    cell: item => <Link to={paths.adminImport(item.id)}>{item.fileName}</Link>,
  },
  { id: 'WHEN', header: 'Uploaded', wide: true, cell: item => `${formatMoment(item.createdAt)} by ${item.createdBy}` },
  { id: 'NEW', header: 'New', numeric: true, width: '5rem', cell: item => item.creates.toLocaleString('en-US') },
  {
    id: 'CHANGED',
    header: 'Changed',
    numeric: true,
    width: '6rem',
    cell: item => item.updates.toLocaleString('en-US'),
  },
  {
    id: 'REFUSED',
    header: 'Refused',
    numeric: true,
    width: '6rem',
    cell: item => item.refused.toLocaleString('en-US'),
  },
  { id: 'STATUS', header: 'Status', width: '8rem', cell: item => <Badge>{statusWords[item.status]}</Badge> },
]

const FileBox = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr));
  gap: ${space[4]} ${space[6]};
  max-width: 64rem;
  align-items: start;
`
const Steps = styled.ol`
  display: grid;
  gap: ${space[2]};
  max-width: ${measure.text};
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
const Quiet = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
  font-variant-numeric: tabular-nums;
`
