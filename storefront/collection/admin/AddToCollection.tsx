import { useQuery } from '@apollo/client/react'
import { type FormEvent, useState } from 'react'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { messageOf } from '../../data/errors.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { paths } from '../../paths.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Link } from '../../ui/Link.tsx'
import { Loader } from '../../ui/Loader.tsx'
import { Select } from '../../ui/Select.tsx'
import { notify } from '../../ui/toast.ts'
import { AddToCollectionDocument, AdminCollectionsDocument } from './Collections.gql.ts'

interface AddToCollectionProps {
  /** Of the products, in the order in which they are added. */
  productIds: readonly string[]
  open: boolean
  onClose: () => void
  onAdded: () => void
}

/** Puts products at the end of a collection. */
export function AddToCollection({ productIds, open, onClose, onAdded }: AddToCollectionProps) {
  const { data, error, refetch } = useQuery(AdminCollectionsDocument)
  const collections = data?.adminCollections ?? []
  const [chosen, setChosen] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [add, { loading }] = useShopMutation(AddToCollectionDocument)
  const invalidate = useInvalidate()
  const target = collections.find(({ id }) => id === chosen) ?? collections[0]

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (loading || !target) return
    const payload = await add(
      { id: target.id, productIds: [...productIds] },
      { onRefused: ({ userErrors }) => setProblem(userErrors[0]?.message ?? null) },
    )
    if (!payload) return
    invalidate('auditLog')
    notify.success(`Added to ${target.name}.`)
    onAdded()
    onClose()
  }

  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={`Add ${productIds.length === 1 ? '1 product' : `${productIds.length} products`} to a collection`}
      description="At its end. What is in it already stays where it is."
      action="Add"
      loading={loading}
      disabledReason={target ? null : 'There is no collection.'}
    >
      {id => (
        <form id={id} noValidate onSubmit={event => void submit(event)}>
          {error && !data && <ErrorState onRetry={() => void refetch()}>{messageOf(error)}</ErrorState>}
          {!data && !error && <Loader />}
          {data && !target && (
            <p>
              There is none yet. <Link to={paths.adminCollections('new')}>Add a collection</Link>
            </p>
          )}
          {target && (
            <Select
              label="Collection"
              value={target.id}
              error={problem ?? undefined}
              onChange={event => {
                setChosen(event.target.value)
                setProblem(null)
              }}
            >
              {collections.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </form>
      )}
    </FormDialog>
  )
}
