import { useQuery } from '@apollo/client/react'
import { useId, useState } from 'react'
import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, type Control, useForm, useWatch } from 'react-hook-form'
import { Link, useNavigate, useParams } from 'react-router-dom'
import { styled } from 'styled-components'
import { colourFamiliesOf } from '#schema/rules/facts/colour-family'
import type { FactCorrections } from '#schema/rules/facts/product-facts'
import { limits } from '#schema/rules/limits'
import { groupNameOf } from '#schema/rules/variant-name'
import { History } from '../../audit/admin/History.tsx'
import { Panel, WithAside } from '../../admin/AdminList.tsx'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { LeaveGuard } from '../../admin/LeaveGuard.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { messageOf } from '../../data/errors.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { showRefusals } from '../../data/forms.ts'
import { paths } from '../../paths.ts'
import { color, font, from, size, space, weight } from '../../theme/tokens.ts'
import { notify } from '../../ui/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { clockZone } from '../../ui/dates.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { ConflictDialog } from './ConflictDialog.tsx'
import { DeleteProduct } from './DeleteProduct.tsx'
import { FactsPanel } from './FactsPanel.tsx'
import { GroupField } from './GroupField.tsx'
import { GroupPanel } from './GroupPanel.tsx'
import { LotsPanel } from './LotsPanel.tsx'
import { PictureField } from './PictureField.tsx'
import { PicturesField } from './PicturesField.tsx'
import {
  besideItsField,
  type CheckedProduct,
  differences,
  type Difference,
  inputOf,
  picturesOf,
  productForm,
  type ProductValues,
  type Seen,
  seenOf,
  valuesOf,
} from './product-values.ts'
import {
  type EditedProductFragment,
  ProductForEditDocument,
  ProductHistoryDocument,
  UpdateProductDocument,
} from './ProductEdit.gql.ts'
import { CategoriesDocument } from './Products.gql.ts'
import { StockBadge } from './StockBadge.tsx'

const trail = [{ label: 'Products', to: paths.adminProducts() }]

export default function ProductEditPage() {
  const { id = '' } = useParams()
  const { data, error, loading, refetch } = useQuery(ProductForEditDocument, { variables: { id } })
  if (data?.product) return <ProductView key={id} product={data.product} />
  return (
    <AdminPage title="Edit product" trail={trail}>
      {error ? (
        <ErrorState onRetry={() => void refetch()} retrying={loading}>
          {messageOf(error)}
        </ErrorState>
      ) : data ? (
        <EmptyState
          title="There is no such product"
          action={
            <LinkButton as={Link} to={paths.adminProducts()}>
              All products
            </LinkButton>
          }
        >
          <p>It was archived, or the address is wrong.</p>
        </EmptyState>
      ) : (
        <Outline />
      )}
    </AdminPage>
  )
}

function Outline() {
  return (
    <WithAside aria-busy="true">
      <Stack>
        {[1, 2, 3, 4, 5].map(row => (
          <Skeleton key={row} $height="3.5rem" />
        ))}
      </Stack>
      <Skeleton $square />
    </WithAside>
  )
}

function ProductView({ product }: { product: EditedProductFragment }) {
  const navigate = useNavigate()
  const invalidate = useInvalidate()
  const categoriesId = useId()
  const categories = useQuery(CategoriesDocument).data?.categories
  const [update] = useShopMutation(UpdateProductDocument)
  const form = useForm({ defaultValues: valuesOf(product), resolver: zodResolver(productForm) })
  const { errors, isSubmitting, isDirty } = form.formState
  // What the form started from; both change together when it is saved or somebody else's save is taken in.
  const [seen, setSeen] = useState(() => seenOf(product))
  const [conflict, setConflict] = useState<{ theirs: EditedProductFragment; differences: Difference[] } | null>(null)
  const [deciding, setDeciding] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const [gone, setGone] = useState(false)

  async function save(checked: CheckedProduct, from: Seen) {
    const payload = await update(
      { id: product.id, input: inputOf(checked, from) },
      {
        onRefused: ({ product: saved, userErrors }) => {
          const code = userErrors[0]?.code
          if (code === 'CONFLICT' && saved) return compare(saved, form.getValues())
          setDeciding(false)
          if (code === 'OUT_OF_STOCK' && saved) setSeen({ ...from, countInStock: saved.countInStock })
          showRefusals(form, userErrors.map(besideItsField))
        },
      },
    )
    if (!payload?.product) return
    setDeciding(false)
    setSeen(seenOf(payload.product))
    form.reset(valuesOf(payload.product))
    invalidate('productStats', 'categories', 'auditLog')
    notify.success('Product updated successfully.')
  }

  function compare(theirs: EditedProductFragment, mine: ProductValues) {
    const opened = form.formState.defaultValues as ProductValues
    const found = differences(opened, valuesOf(theirs), mine)
    if (found.length === 0) {
      // Both did the same: there is nothing left to save.
      setSeen(seenOf(theirs))
      form.reset(valuesOf(theirs))
      notify.success('Product updated successfully.')
      return
    }
    setConflict({ theirs, differences: found })
    setDeciding(true)
  }

  async function settle(chosen: Partial<ProductValues>) {
    if (!conflict) return
    const { theirs } = conflict
    const values = { ...form.getValues(), ...chosen }
    setSeen(seenOf(theirs))
    form.reset(valuesOf(theirs))
    for (const [field, value] of Object.entries(values))
      form.setValue(field as keyof ProductValues, value, { shouldDirty: true })
    await form.handleSubmit(checked => save(checked, seenOf(theirs)))()
  }

  const [image, pictures] = useWatch({ control: form.control, name: ['image', 'pictures'] })
  const line = { maxLength: limits.productText, autoComplete: 'off' }
  return (
    <AdminPage
      title={product.name}
      badge={<StockBadge {...product} />}
      trail={trail}
      actions={
        <>
          {!product.isDraft && (
            <LinkButton as={Link} to={paths.product(product.id, product.name)} $variant="quiet" $size="sm">
              View in shop
            </LinkButton>
          )}
          <Button size="sm" variant="danger" onClick={() => setLeaving(true)}>
            Delete
          </Button>
        </>
      }
    >
      {product.isDraft && <Notice>This is a draft. Shoppers see it once you save it.</Notice>}
      <form noValidate onSubmit={form.handleSubmit(checked => save(checked, seen))} aria-label="Product">
        <WithAside>
          <Stack $gap={6}>
            <Group>
              <legend>What it is</legend>
              <Wide>
                <TextField {...form.register('name')} {...line} label="Name" error={errors.name?.message} />
              </Wide>
              <TextField
                {...form.register('category')}
                {...line}
                label="Category"
                required
                list={categoriesId}
                error={errors.category?.message}
              />
              <TextField
                {...form.register('sku')}
                label="SKU"
                required
                maxLength={limits.sku}
                autoComplete="off"
                error={errors.sku?.message}
              />
              <datalist id={categoriesId}>
                {categories?.map(name => (
                  <option key={name}>{name}</option>
                ))}
              </datalist>
              <TextField
                {...form.register('price')}
                label="Price"
                required
                hint={product.compareAtPrice === null ? 'US dollars' : 'US dollars, when it is not on sale'}
                inputMode="decimal"
                autoComplete="off"
                error={errors.price?.message}
              />
              <TextField
                {...form.register('countInStock')}
                label="Count in stock"
                required
                hint={product.keptByLot ? 'The sum of its dye lots.' : 'Units sold while you edit stay sold.'}
                readOnly={product.keptByLot}
                inputMode="numeric"
                autoComplete="off"
                error={errors.countInStock?.message}
              />
              <Wide>
                <Controller
                  control={form.control}
                  name="group"
                  render={({ field }) => (
                    <GroupField
                      value={field.value}
                      onChange={field.onChange}
                      suggestion={groupNameOf(product.name)}
                      error={errors.group?.message}
                    />
                  )}
                />
              </Wide>
              <Wide>
                <TextArea
                  {...form.register('description')}
                  label="Description"
                  rows={6}
                  maxLength={limits.description}
                  error={errors.description?.message}
                />
              </Wide>
            </Group>
            <Group>
              <legend>Sale</legend>
              <Wide>
                <Hint>
                  A sale begins and ends by itself. Discount codes count on top, from the sale price. Times are yours (
                  {clockZone()}).
                </Hint>
              </Wide>
              <Wide>
                <TextField
                  {...form.register('salePrice')}
                  label="Sale price"
                  hint="US dollars; nothing when there is no sale"
                  inputMode="decimal"
                  autoComplete="off"
                  error={errors.salePrice?.message}
                />
              </Wide>
              <TextField
                {...form.register('saleFrom')}
                type="datetime-local"
                label="From"
                hint="At once when left empty"
                error={errors.saleFrom?.message}
              />
              <TextField
                {...form.register('saleUntil')}
                type="datetime-local"
                label="Until"
                hint="Until you end it when left empty"
                error={errors.saleUntil?.message}
              />
            </Group>
            <Group>
              <legend>On the band</legend>
              <TextField
                {...form.register('weight')}
                {...line}
                label="Weight"
                hint="For example 100 g"
                error={errors.weight?.message}
              />
              <TextField
                {...form.register('length')}
                {...line}
                label="Length"
                hint="For example 210 m (230 yd)"
                error={errors.length?.message}
              />
              <TextField {...form.register('gauge')} {...line} label="Gauge" error={errors.gauge?.message} />
              <TextField
                {...form.register('content')}
                {...line}
                label="Content"
                hint="Fibre or material"
                error={errors.content?.message}
              />
              <TextField
                {...form.register('knittingNeedle')}
                {...line}
                label="Knitting needle"
                error={errors.knittingNeedle?.message}
              />
              <TextField
                {...form.register('crochetHook')}
                {...line}
                label="Crochet hook"
                error={errors.crochetHook?.message}
              />
              <Wide>
                <TextField
                  {...form.register('recommendedCare')}
                  {...line}
                  label="Recommended care"
                  error={errors.recommendedCare?.message}
                />
              </Wide>
            </Group>
            <Save>
              <Button type="submit" loading={isSubmitting}>
                {product.isDraft ? 'Save and publish' : 'Save'}
              </Button>
              {isDirty && !isSubmitting && <p>Not saved yet</p>}
            </Save>
          </Stack>
          <Stack $gap={6}>
            <Panel aria-labelledby="picture">
              <h2 id="picture">Picture</h2>
              <Controller
                control={form.control}
                name="image"
                render={({ field }) => (
                  <PictureField value={field.value} onChange={field.onChange} error={errors.image?.message} />
                )}
              />
            </Panel>
            <Panel aria-labelledby="pictures">
              <h2 id="pictures">All pictures</h2>
              <PicturesField
                pictures={picturesOf({ image, pictures })}
                version={seen.version}
                onChange={edit => {
                  const [first, ...others] = edit(picturesOf(form.getValues()))
                  if (!first) return
                  form.setValue('image', first.image, { shouldDirty: true })
                  form.setValue('pictures', JSON.stringify([first, ...others]), { shouldDirty: true })
                }}
                error={errors.pictures?.message}
              />
            </Panel>
            <LotsPanel
              product={product}
              version={seen.version}
              onSaved={saved => {
                setSeen({ ...seen, version: saved.version, countInStock: saved.countInStock })
                form.resetField('countInStock', { defaultValue: String(saved.countInStock) })
                invalidate('productStats', 'auditLog')
              }}
            />
            {product.group && (
              <GroupPanel
                productId={product.id}
                group={product.group}
                onRenamed={name => {
                  setSeen({ ...seen, group: name })
                  form.resetField('group', { defaultValue: name })
                }}
              />
            )}
            <Panel aria-labelledby="facts">
              <h2 id="facts">Facts</h2>
              <Facts control={form.control} product={product} />
            </Panel>
            <ProductHistory id={product.id} />
          </Stack>
        </WithAside>
      </form>
      {conflict && (
        <ConflictDialog
          key={conflict.theirs.version}
          differences={conflict.differences}
          open={deciding}
          saving={isSubmitting}
          onClose={() => setDeciding(false)}
          onSave={chosen => void settle(chosen)}
        />
      )}
      <LeaveGuard when={isDirty && !gone} />
      <DeleteProduct
        product={leaving ? product : null}
        onClose={() => setLeaving(false)}
        onDeleted={() => {
          setGone(true)
          setTimeout(() => void navigate(paths.adminProducts(), { replace: true }))
        }}
      />
    </AdminPage>
  )
}

function Facts({
  control,
  product,
}: {
  control: Control<ProductValues, unknown, CheckedProduct>
  product: EditedProductFragment
}) {
  const values = useWatch({ control }) as ProductValues
  const isSeen = values.image === product.image
  // What was set by hand hides what the picture showed, until it is saved without.
  const byWords =
    values.name + values.description === product.name + product.description ? [] : colourFamiliesOf(product)
  const families =
    isSeen && !product.facts.corrected.includes('colourFamilies')
      ? product.facts.colourFamilies.filter(family => !byWords.includes(family))
      : []
  return (
    <Controller
      control={control}
      name="factCorrections"
      render={({ field }) => (
        <FactsPanel
          texts={values}
          seen={isSeen && !product.facts.corrected.includes('colours') ? product.colours : []}
          families={families}
          corrections={JSON.parse(field.value) as FactCorrections}
          onChange={corrections => field.onChange(JSON.stringify(corrections))}
        />
      )}
    />
  )
}

function ProductHistory({ id }: { id: string }) {
  const [page, setPage] = useState(1)
  const { data, previousData, error, refetch } = useQuery(ProductHistoryDocument, { variables: { id, page } })
  return (
    <History
      history={(data ?? previousData)?.product?.history}
      error={error}
      onRetry={() => void refetch()}
      onPage={setPage}
    />
  )
}

const Group = styled.fieldset`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[4]};
  align-items: start;
  legend {
    padding: 0;
    margin-bottom: ${space[3]};
    font: ${weight.medium} ${size.lg} / 1.12 ${font.serif};
  }
  ${from.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
`
const Wide = styled.div`
  ${from.tablet} {
    grid-column: 1 / -1;
  }
`
const Hint = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
const Save = styled.div`
  position: sticky;
  bottom: 0;
  display: flex;
  align-items: center;
  gap: ${space[4]};
  padding-block: ${space[3]};
  background: ${color.ground};
  border-top: 1px solid ${color.line};
  p {
    font-size: ${size.sm};
    color: ${color.textQuiet};
  }
`
