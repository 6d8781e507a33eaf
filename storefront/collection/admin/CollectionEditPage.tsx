import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { useParams } from 'react-router-dom'
import { NotShown } from '../../admin/NotShown.tsx'
import { paths } from '../../paths.ts'
import { TableSkeleton } from '../../ui/DataTable.tsx'
import { CollectionForm } from './CollectionForm.tsx'
import { trail as ofProducts } from './CollectionsPage.tsx'
import { AdminCollectionDocument } from './Collections.gql.ts'

const trail = [...ofProducts, { label: 'Collections', to: paths.adminCollections() }]

/** A collection, or the form for another one. */
export default function CollectionEditPage() {
  const { id = '' } = useParams()
  return id === 'new' ? <CollectionForm trail={trail} collection={null} /> : <Known key={id} id={id} />
}

function Known({ id }: { id: string }) {
  const { data, error, loading, refetch } = useQuery(AdminCollectionDocument, { variables: { id } })
  const read = data?.adminCollection
  // What is typed stays when the collection is read again.
  const [first, setFirst] = useState(read)
  if (!first && read) setFirst(read)
  const collection = first ?? read
  if (collection) return <CollectionForm trail={trail} collection={collection} />
  return (
    <NotShown
      title="Collection"
      trail={trail}
      isAnswered={data !== undefined}
      error={error}
      isRetrying={loading}
      onRetry={() => void refetch()}
      thing="collection"
      others={paths.adminCollections()}
      outline={<TableSkeleton />}
    />
  )
}
