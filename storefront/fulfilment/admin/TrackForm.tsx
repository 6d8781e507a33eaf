import { type FormEvent, useState } from 'react'
import { tracking } from '#schema/rules/shapes/tracking'
import { useUnsavedWork } from '../../account/interruption.ts'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { issuesOf, useProblems } from '../../data/use-problems.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { Button } from '../../ui/Button.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { notify } from '../../ui/toast.ts'
import type { ParcelFragment } from '../Parcels.gql.ts'
import { ParcelForm } from './ParcelForm.tsx'
import { TrackFulfilmentDocument } from './TrackForm.gql.ts'
import { readTracking, TrackingFields, typedTracking } from './TrackingFields.tsx'

interface TrackFormProps {
  parcel: ParcelFragment
  /** "Parcel 2". */
  name: string
  onClose: () => void
  onDone: () => void
}

/** Changes a parcel's carrier and tracking number. */
export function TrackForm({ parcel, name, onClose, onDone }: TrackFormProps) {
  const [typed, setTyped] = useState(() => typedTracking(parcel))
  const [isTyped, setIsTyped] = useState(false)
  useUnsavedWork(isTyped)
  const { form, problems, show } = useProblems()
  const [track, { loading }] = useShopMutation(TrackFulfilmentDocument)
  const invalidate = useInvalidate()

  async function save(event: FormEvent) {
    event.preventDefault()
    const read = readTracking(typed)
    if (show(issuesOf(tracking, read))) return
    const payload = await track({ id: parcel.id, ...read }, { onRefused: ({ userErrors }) => show(userErrors) })
    if (!payload) return
    invalidate('auditLog')
    notify.success('Tracking corrected.')
    onDone()
  }

  return (
    <ParcelForm
      ref={form}
      onSubmit={event => void save(event)}
      noValidate
      aria-label={`Tracking of ${name.toLowerCase()}`}
    >
      <TrackingFields
        typed={typed}
        problems={problems}
        onChange={typed => {
          setTyped(typed)
          setIsTyped(true)
        }}
      />
      <Cluster $gap={2}>
        <Button size="sm" type="submit" loading={loading}>
          Save
        </Button>
        <Button size="sm" variant="quiet" disabled={loading} onClick={onClose}>
          Cancel
        </Button>
      </Cluster>
    </ParcelForm>
  )
}
