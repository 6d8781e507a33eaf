import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { useController, useForm, useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import { styled } from 'styled-components'
import type { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { productGroup } from '#schema/rules/shapes/product'
import { variantName } from '#schema/rules/variant-name'
import { useUnsavedWork } from '../../account/interruption.ts'
import { Panel } from '../../admin/AdminList.tsx'
import { moved, MoveButtons, OrderedList } from '../../admin/ordered.tsx'
import { showRefusals } from '../../data/forms.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { paths } from '../../paths.ts'
import { space } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { Link } from '../../ui/Link.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/toast.ts'
import { CopyProductDocument, UpdateProductGroupDocument, type EditedGroupFragment } from './ProductGroups.gql.ts'

interface GroupPanelProps {
  productId: string
  group: EditedGroupFragment
  onRenamed: (name: string) => void
}

/** A form always has the order, which the API need not be told. */
const shape = productGroup.required({ productIds: true })

const valuesOf = ({ name, maker, variesBy, members }: EditedGroupFragment) => ({
  name,
  maker,
  variesBy,
  productIds: members.map(({ id }) => id),
})

/** The facts of the whole group, and the order of its products. Saved separately from the product. */
export function GroupPanel({ productId, group, onRenamed }: GroupPanelProps) {
  const [update, { loading }] = useShopMutation(UpdateProductGroupDocument)
  // After a save, or when another product joined, the form starts from the new data.
  const form = useForm({ values: valuesOf(group), resolver: zodResolver(shape) })
  const { errors, isDirty } = form.formState
  useUnsavedWork(isDirty)
  const variesBy = useWatch({ control: form.control, name: 'variesBy' })
  const { field: order } = useController({ control: form.control, name: 'productIds' })
  const problemId = useId()
  const members = order.value.flatMap(id => group.members.find(member => member.id === id) ?? [])

  async function save(input: z.output<typeof shape>) {
    const payload = await update(
      { id: group.id, input },
      { onRefused: ({ userErrors }) => showRefusals(form, userErrors) },
    )
    if (!payload) return
    if (payload.productGroup && payload.productGroup.name !== group.name) onRenamed(payload.productGroup.name)
    notify.success('Group updated successfully.')
  }

  return (
    <Panel aria-labelledby="group">
      <h2 id="group">Group</h2>
      <Fields>
        <TextField
          {...form.register('name')}
          label="Name of the group"
          maxLength={limits.productText}
          autoComplete="off"
          error={errors.name?.message}
        />
        <TextField
          {...form.register('maker')}
          label="Maker"
          hint="Search engines are told it as the brand. Without one, the shop’s own name is."
          optional
          maxLength={limits.productText}
          autoComplete="off"
          error={errors.maker?.message}
        />
        <Select {...form.register('variesBy')} label="Its products differ in" error={errors.variesBy?.message}>
          <option value="COLOUR">Colour</option>
          <option value="SIZE">Size</option>
        </Select>
        <OrderedList
          aria-label="Products of the group, in their order"
          aria-describedby={errors.productIds && problemId}
        >
          {members.map((member, place) => {
            const label = variantName(member.name, group.name)
            return (
              <li key={member.id}>
                {member.id === productId ? (
                  <strong>{label}</strong>
                ) : (
                  <Link to={paths.adminProduct(member.id)}>{label}</Link>
                )}
                {member.isDraft && <small>Draft</small>}
                <span>
                  <MoveButtons
                    label={label}
                    place={place}
                    of={members.length}
                    onMove={to => order.onChange(moved(order.value, place, to))}
                  />
                </span>
              </li>
            )
          })}
        </OrderedList>
        {errors.productIds?.message && <Problem id={problemId}>{errors.productIds.message}</Problem>}
        <Cluster>
          <Button size="sm" disabled={!isDirty} loading={loading} onClick={() => void form.handleSubmit(save)()}>
            Save the group
          </Button>
          <AddVariant productId={productId} label={variesBy === 'COLOUR' ? 'Add a colourway' : 'Add a size'} />
        </Cluster>
      </Fields>
    </Panel>
  )
}

/** A copy of the product as a draft, to be filled in. */
function AddVariant({ productId, label }: { productId: string; label: string }) {
  const navigate = useNavigate()
  const [copy, { loading }] = useShopMutation(CopyProductDocument)
  const add = async () => {
    const payload = await copy({ id: productId })
    if (payload?.product) void navigate(paths.adminProduct(payload.product.id))
  }
  return (
    <Button size="sm" variant="quiet" loading={loading} onClick={() => void add()}>
      {label}
    </Button>
  )
}

const Fields = styled.div`
  display: grid;
  gap: ${space[4]};
`
