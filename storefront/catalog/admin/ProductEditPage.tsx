import { useQuery } from '@apollo/client/react'
import { lazy, useState } from 'react'
import { Controller, type Control, useWatch } from 'react-hook-form'
import { useNavigate, useParams } from 'react-router-dom'
import { styled } from 'styled-components'
import { colourFamiliesOf } from '#schema/rules/facts/colour-family'
import type { FactCorrections } from '#schema/rules/facts/product-facts'
import { History } from '../../audit/admin/History.tsx'
import { Panel, WithAside } from '../../admin/AdminList.tsx'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { NotShown } from '../../admin/NotShown.tsx'
import { LeaveGuard } from '../../admin/LeaveGuard.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { paths } from '../../paths.ts'
import { color, size, space } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { Link } from '../../ui/Link.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Part } from '../../ui/Part.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { ConflictDialog } from './ConflictDialog.tsx'
import { DeleteProduct } from './DeleteProduct.tsx'
import { FactsPanel } from './FactsPanel.tsx'
import { GroupPanel } from './GroupPanel.tsx'
import { LotsPanel } from './LotsPanel.tsx'
import { PictureField } from './PictureField.tsx'
import { PicturesField } from './PicturesField.tsx'
import { type CheckedProduct, picturesOf, type ProductValues } from './product-values.ts'
import { ProductFields } from './ProductFields.tsx'
import { type EditedProductFragment, ProductForEditDocument, ProductHistoryDocument } from './ProductEdit.gql.ts'
import { StockBadge } from './StockBadge.tsx'
import { type ProductForm, useProductForm } from './use-product-form.ts'

const DownloadsPanel = lazy(() => import('../../download/admin/DownloadsPanel.tsx'))
const AnnotationPanel = lazy(() => import('../../annotation/admin/AnnotationPanel.tsx'))

const trail = [{ label: 'Products', to: paths.adminProducts() }]

export default function ProductEditPage() {
  const { id = '' } = useParams()
  const { data, error, loading, refetch } = useQuery(ProductForEditDocument, { variables: { id } })
  if (data?.product) return <ProductView key={id} product={data.product} />
  return (
    <NotShown
      title="Edit product"
      trail={trail}
      isAnswered={data !== undefined}
      error={error}
      isRetrying={loading}
      onRetry={() => void refetch()}
      thing="product"
      others={paths.adminProducts()}
      why="It was archived, or the address is wrong."
      outline={<Outline />}
    />
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
  const { form, seen, setSeen, save, conflict, deciding, putOff, settle } = useProductForm(product)
  const { errors, isSubmitting, isDirty } = form.formState
  const [leaving, setLeaving] = useState(false)
  const [gone, setGone] = useState(false)
  const [unsaved, setUnsaved] = useState(false)

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
      <form noValidate onSubmit={save} aria-label="Product">
        <WithAside>
          <Stack $gap={6}>
            <ProductFields product={product} form={form} errors={errors} />
            <Save>
              <Button type="submit" loading={isSubmitting}>
                {product.isDraft ? 'Save and publish' : 'Save'}
              </Button>
              {isDirty && !isSubmitting && <p>Not saved yet</p>}
            </Save>
          </Stack>
          <Stack $gap={6}>
            <FirstPicture form={form} error={errors.image?.message} />
            <AllPictures form={form} version={seen.version} error={errors.pictures?.message} />
            {!product.isDownload && (
              <LotsPanel
                product={product}
                version={seen.version}
                onSaved={saved => {
                  setSeen({ ...seen, version: saved.version, countInStock: saved.countInStock })
                  form.resetField('countInStock', { defaultValue: String(saved.countInStock) })
                  invalidate('productStats', 'auditLog')
                }}
              />
            )}
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
      <SavedByThemselves
        product={product}
        onDownloads={({ version, countInStock }) => {
          setSeen(before => ({ ...before, version, countInStock }))
          form.resetField('countInStock', { defaultValue: String(countInStock) })
        }}
        onUnsaved={setUnsaved}
      />
      {conflict && (
        <ConflictDialog
          key={conflict.theirs.version}
          differences={conflict.differences}
          open={deciding}
          saving={isSubmitting}
          onClose={putOff}
          onSave={chosen => void settle(chosen)}
        />
      )}
      <LeaveGuard when={(isDirty || unsaved) && !gone} />
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

/** What the product's form does not save. */
function SavedByThemselves({
  product,
  onDownloads,
  onUnsaved,
}: {
  product: EditedProductFragment
  onDownloads: (saved: Pick<EditedProductFragment, 'version' | 'countInStock'>) => void
  onUnsaved: (unsaved: boolean) => void
}) {
  return (
    <Below $gap={7}>
      <Part fallback={<Skeleton $height="12rem" />}>
        <DownloadsPanel product={product} onSaved={onDownloads} />
      </Part>
      <Part fallback={<Skeleton $height="12rem" />}>
        <AnnotationPanel id={product.id} onUnsaved={onUnsaved} />
      </Part>
    </Below>
  )
}

function FirstPicture({ form, error }: { form: ProductForm; error: string | undefined }) {
  return (
    <Panel aria-labelledby="picture">
      <h2 id="picture">Picture</h2>
      <Controller
        control={form.control}
        name="image"
        render={({ field }) => <PictureField value={field.value} onChange={field.onChange} error={error} />}
      />
    </Panel>
  )
}

function AllPictures({ form, version, error }: { form: ProductForm; version: number; error: string | undefined }) {
  const [image, pictures] = useWatch({ control: form.control, name: ['image', 'pictures'] })
  return (
    <Panel aria-labelledby="pictures">
      <h2 id="pictures">All pictures</h2>
      <PicturesField
        pictures={picturesOf({ image, pictures })}
        version={version}
        onChange={edit => {
          const [first, ...others] = edit(picturesOf(form.getValues()))
          if (!first) return
          form.setValue('image', first.image, { shouldDirty: true })
          form.setValue('pictures', JSON.stringify([first, ...others]), { shouldDirty: true })
        }}
        error={error}
      />
    </Panel>
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
  // Colour families set by hand hide those of the picture, until the product is saved without that correction.
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

const Below = styled(Stack)`
  margin-top: ${space[7]};
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
