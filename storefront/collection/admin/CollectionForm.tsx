import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useController, useForm } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import type { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { collection as shape } from '#schema/rules/shapes/collection'
import { AdminPage, type AdminPageProps } from '../../admin/AdminPage.tsx'
import { LeaveGuard } from '../../admin/LeaveGuard.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { showRefusals } from '../../data/forms.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Link } from '../../ui/Link.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/toast.ts'
import {
  CreateCollectionDocument,
  DeleteCollectionDocument,
  type EditedCollectionFragment,
  UpdateCollectionDocument,
} from './Collections.gql.ts'
import { MembersField } from './MembersField.tsx'

interface CollectionFormProps extends Pick<AdminPageProps, 'trail'> {
  /** Null for one that is to be made. */
  collection: EditedCollectionFragment | null
}

type Values = z.output<typeof shape>

const BLANK: Values = { name: '', description: '', isPublished: true, productIds: [] }

const valuesOf = ({ name, description, isPublished, members }: EditedCollectionFragment): Values => ({
  name,
  description,
  isPublished,
  productIds: members.map(({ id }) => id),
})

export function CollectionForm({ trail, collection }: CollectionFormProps) {
  const form = useForm({ defaultValues: collection ? valuesOf(collection) : BLANK, resolver: zodResolver(shape) })
  const { errors, isDirty, isSubmitting } = form.formState
  const { field: order } = useController({ control: form.control, name: 'productIds' })
  const [saved, setSaved] = useState(collection)
  /** What others made of it meanwhile; saving again replaces it. */
  const [theirs, setTheirs] = useState<EditedCollectionFragment | null>(null)
  const [create] = useShopMutation(CreateCollectionDocument)
  const [update] = useShopMutation(UpdateCollectionDocument)
  const navigate = useNavigate()
  const invalidate = useInvalidate()

  async function submit(values: Values) {
    const payload = saved
      ? await update(
          { id: saved.id, input: { ...values, version: (theirs ?? saved).version } },
          {
            onRefused: ({ userErrors, collection: current }) => {
              if (current && userErrors.some(({ code }) => code === 'CONFLICT')) setTheirs(current)
              else showRefusals(form, userErrors)
            },
          },
        )
      : await create({ input: values }, { onRefused: ({ userErrors }) => showRefusals(form, userErrors) })
    if (!payload?.collection) return
    invalidate('auditLog')
    notify.success(saved ? 'Collection updated successfully.' : 'Collection created successfully.')
    form.reset(valuesOf(payload.collection))
    setTheirs(null)
    setSaved(payload.collection)
    if (!saved) void navigate(paths.adminCollections(payload.collection.id), { replace: true })
  }

  return (
    <AdminPage
      title={saved?.name ?? 'Add collection'}
      badge={saved && !saved.isPublished && <Badge $variant="plain">Hidden</Badge>}
      trail={trail}
      actions={saved && <DeleteCollection collection={saved} />}
    >
      <Stack as="form" noValidate onSubmit={form.handleSubmit(submit)}>
        <LeaveGuard when={isDirty && !isSubmitting} />
        {theirs && (
          <Notice variant="warning">
            Somebody else changed this collection meanwhile: it is called “{theirs.name}” now, with{' '}
            {theirs.members.map(({ name }) => name).join(', ') || 'no products'}. Saving puts yours in its place.
          </Notice>
        )}
        <TextField
          {...form.register('name')}
          label="Name"
          maxLength={limits.name}
          autoComplete="off"
          error={errors.name?.message}
        />
        <TextArea
          {...form.register('description')}
          label="What it is about"
          hint="Stands below the heading, and is what search engines show."
          optional
          rows={3}
          maxLength={ownerLimits.collection.description}
          error={errors.description?.message}
        />
        <MembersField
          known={collection?.members ?? []}
          value={order.value}
          onChange={order.onChange}
          error={errors.productIds?.message}
        />
        <Checkbox {...form.register('isPublished')} label="Shoppers see it" />
        <Cluster $gap={4}>
          <Button type="submit" loading={isSubmitting}>
            Save
          </Button>
          {saved?.isPublished && <Link to={paths.collection(saved.slug)}>See the page</Link>}
        </Cluster>
      </Stack>
    </AdminPage>
  )
}

function DeleteCollection({ collection: { id, name } }: { collection: { id: string; name: string } }) {
  const [asking, setAsking] = useState(false)
  const [remove, { loading }] = useShopMutation(DeleteCollectionDocument)
  const navigate = useNavigate()
  const invalidate = useInvalidate()

  async function confirm() {
    const payload = await remove({ id })
    setAsking(false)
    if (!payload) return
    invalidate('auditLog')
    notify.success('Collection deleted successfully.')
    void navigate(paths.adminCollections())
  }

  return (
    <>
      <Button size="sm" variant="quiet" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Delete ${name}?`}
        message="Its page is gone then, for who has a link to it, too. Its products stay."
        confirmLabel="Delete"
        loading={loading}
        onConfirm={() => void confirm()}
      />
    </>
  )
}
