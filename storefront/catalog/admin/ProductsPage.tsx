import { useApolloClient, useQuery } from '@apollo/client/react'
import { useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { toDecimal } from '#schema/rules/money'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { linkTo, ListFoot, ListResult, Toolbar } from '../../admin/AdminList.tsx'
import { RowActions, ShortId } from '../../admin/rows.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { saveFile } from '../../data/download.ts'
import { FALLBACK_MESSAGE, messageOf } from '../../data/errors.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import type { AdminProductFilter } from '../../generated/types.ts'
import { oneOf, sortOf, useListState } from '../../data/list-state.ts'
import { paths } from '../../paths.ts'
import { below, color, control, size, space } from '../../theme/tokens.ts'
import { notify } from '../../ui/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { DownloadIcon, PlusIcon, UploadIcon } from '../../ui/icons.tsx'
import { InlineEdit } from '../../ui/InlineEdit.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { Price } from '../../ui/Price.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { BareSelect } from '../../ui/Select.tsx'
import { SummaryCards } from '../../ui/SummaryCard.tsx'
import { BulkActions } from './BulkActions.tsx'
import { DeleteProduct } from './DeleteProduct.tsx'
import {
  type AdminProductFragment,
  AdminProductsDocument,
  CategoriesDocument,
  CreateProductDocument,
  ExportProductsDocument,
  PatchProductDocument,
  ProductStatsDocument,
} from './Products.gql.ts'
import { listPriceOf, readAs, typedPrice, typedUnits } from './product-values.ts'
import { StockBadge } from './StockBadge.tsx'

const STOCK = ['IN_STOCK', 'LOW', 'OUT'] as const
const SORTS = ['NAME', 'PRICE', 'STOCK', 'CATEGORY', 'CREATED', 'RATING'] as const

export default function ProductsPage() {
  const list = useListState(paths.adminProducts)
  const draft = list.get('status') === 'draft'
  const stock = oneOf(list.get('status')?.replaceAll('-', '_') ?? null, STOCK)
  const category = list.get('category')
  const search = list.get('search') ?? ''
  const sort = sortOf(list.get('sort'), SORTS) ?? { field: 'CREATED' as const, direction: 'DESC' as const }
  const filter: AdminProductFilter = { search: search || null, stock, category, draft: draft ? true : null }
  const isFiltered = Boolean(draft || stock || category || search)
  const { data, previousData, error, loading, refetch } = useQuery(AdminProductsDocument, {
    variables: { filter, sort, page: list.page },
  })
  const products = (data ?? previousData)?.adminProducts
  const stats = useQuery(ProductStatsDocument)
  const counts = isFiltered && !(stock || draft) ? undefined : stats.data?.productStats
  const [selected, setSelected] = useState<ReadonlyMap<string, AdminProductFragment>>(new Map())
  const [leaving, setLeaving] = useState<AdminProductFragment | null>(null)
  const columns = useColumns(setLeaving)

  return (
    <AdminPage
      title="Products"
      actions={
        <>
          <ExportButton filter={filter} total={products?.total} />
          <LinkButton as={Link} to={paths.adminImport()} $variant="quiet" $size="sm">
            <UploadIcon size={18} />
            Import CSV
          </LinkButton>
          <AddProduct />
        </>
      }
    >
      <SummaryCards
        label="Products at a glance"
        error={stats.error && !stats.data ? 'Yarn it! Failed to fetch a preview of all products.' : null}
        onRetry={() => void stats.refetch()}
        figures={[
          { label: 'Total Products', value: stats.data?.productStats.totalProducts.toLocaleString('en-US') },
          { label: 'Low Count', value: stats.data?.productStats.lowStockCount.toLocaleString('en-US') },
          { label: 'Out of Stock', value: stats.data?.productStats.outOfStockCount.toLocaleString('en-US') },
        ]}
      />
      <Toolbar>
        <FilterChips
          label="Stock"
          current={draft ? 'draft' : (stock ?? '')}
          chips={[
            { key: '', label: 'All', count: counts?.totalProducts },
            {
              key: 'IN_STOCK',
              label: 'In Stock',
              count: counts && counts.totalProducts - counts.lowStockCount - counts.outOfStockCount,
            },
            { key: 'LOW', label: 'Low Stock', count: counts?.lowStockCount },
            { key: 'OUT', label: 'Out of Stock', count: counts?.outOfStockCount, urgent: true },
            { key: 'draft', label: 'Drafts' },
          ]}
          link={linkTo(key => list.to({ status: key.toLowerCase().replaceAll('_', '-') }))}
        />
        <CategoryFilter value={category ?? ''} onChange={next => void list.go({ category: next })} />
        <SearchField
          label="Search products in the admin"
          placeholder="Name, SKU, fibre …"
          value={search}
          maxLength={limits.keyword}
          onSearch={text => list.go({ search: text })}
        />
      </Toolbar>
      <ListResult
        total={products?.total}
        error={error}
        loading={loading}
        onRetry={() => void refetch()}
        empty={
          <EmptyState
            title="No products found."
            action={
              isFiltered && <Link to={list.to({ search: null, status: null, category: null })}>Show all products</Link>
            }
          >
            <p>
              {isFiltered ? 'Nothing on the shelves fits these filters.' : 'Add a product, or import a spreadsheet.'}
            </p>
          </EmptyState>
        }
      >
        {products && (
          <>
            <DataTable
              caption="Products"
              columns={columns}
              rows={products.items}
              rowId={product => product.id}
              rowName={product => product.name}
              sort={{ column: sort.field, descending: sort.direction === 'DESC' }}
              onSort={({ column, descending }) =>
                void list.go({ sort: `${descending ? '-' : ''}${column.toLowerCase()}` })
              }
              selection={{ rows: selected, onChange: setSelected }}
              stale={loading}
            />
            <ListFoot served={products} list={list} noun="product" />
          </>
        )}
      </ListResult>
      <BulkActions selected={selected} onSelect={setSelected} />
      <DeleteProduct
        product={leaving}
        onClose={() => setLeaving(null)}
        onDeleted={() => setSelected(rows => new Map([...rows].filter(([id]) => id !== leaving?.id)))}
      />
    </AdminPage>
  )
}

function useColumns(onDelete: (product: AdminProductFragment) => void): Column<AdminProductFragment>[] {
  const save = useInlineSave()
  return useMemo(
    () => [
      { id: 'ID', header: 'ID', minor: true, width: '6.5rem', cell: product => <ShortId id={product.id} /> },
      {
        id: 'NAME',
        header: 'Name',
        sortable: true,
        lead: true,
        cell: product => (
          <Named>
            <Thumb src={product.image} alt="" sizes="40px" />
            <span>
              <Link to={paths.adminProduct(product.id)}>{product.name}</Link>
              <small>{product.sku}</small>
            </span>
          </Named>
        ),
      },
      { id: 'STATUS', header: 'Status', width: '7.5rem', cell: product => <StockBadge {...product} /> },
      {
        id: 'STOCK',
        header: 'Stock',
        numeric: true,
        sortable: true,
        width: '5.5rem',
        cell: product => (
          <InlineEdit
            label={`Stock of ${product.name}`}
            value={String(product.countInStock)}
            inputMode="numeric"
            onSave={typed => save.stock(product, typed)}
          >
            {product.countInStock.toLocaleString('en-US')}
          </InlineEdit>
        ),
      },
      {
        id: 'PRICE',
        header: 'Price',
        numeric: true,
        sortable: true,
        width: '6.5rem',
        cell: product => (
          <InlineEdit
            label={`Price of ${product.name}`}
            value={toDecimal(listPriceOf(product))}
            inputMode="decimal"
            onSave={typed => save.price(product, typed)}
          >
            <Price cents={product.price} was={product.compareAtPrice} />
          </InlineEdit>
        ),
      },
      { id: 'CATEGORY', header: 'Category', sortable: true, width: '8rem', cell: product => product.category },
      {
        id: 'CONTENT',
        header: 'Content',
        width: '15%',
        wide: true,
        minor: true,
        cell: product => <Content>{product.content}</Content>,
      },
      {
        id: 'ACTIONS',
        header: 'Actions',
        hideHeader: true,
        numeric: true,
        width: '5.5rem',
        cell: product => (
          <RowActions
            name={product.name}
            editPath={paths.adminProduct(product.id)}
            onDelete={() => onDelete(product)}
          />
        ),
      },
    ],
    [save, onDelete],
  )
}

/** Saves one cell. Answers with what is wrong, or null. */
function useInlineSave() {
  const [patch] = useShopMutation(PatchProductDocument)
  const invalidate = useInvalidate()
  return useMemo(() => {
    async function send(
      product: AdminProductFragment,
      input: { price: number } | { countInStock: number; countInStockSeen: number },
    ) {
      let problem = null as string | null
      const payload = await patch(
        { id: product.id, input: { ...input, version: product.version } },
        {
          onRefused: ({ product: saved, userErrors: [refusal] }) => {
            if (refusal?.code === 'CONFLICT' && saved) {
              const now = 'price' in input ? `$${toDecimal(listPriceOf(saved))}` : `${saved.countInStock} in stock`
              problem = `Somebody else saved this product just now: ${now}. Press Enter again to save yours.`
            } else problem = refusal?.message ?? FALLBACK_MESSAGE
          },
          onFailed: error => (problem = messageOf(error)),
        },
      )
      if (!payload) return problem
      invalidate('productStats', 'auditLog')
      notify.success('Product updated successfully.')
      return null
    }
    return {
      price(product: AdminProductFragment, typed: string) {
        const price = readAs(typedPrice, typed)
        return 'value' in price ? send(product, { price: price.value }) : Promise.resolve(price.problem)
      },
      stock(product: AdminProductFragment, typed: string) {
        const units = readAs(typedUnits, typed)
        return 'value' in units
          ? send(product, { countInStock: units.value, countInStockSeen: product.countInStock })
          : Promise.resolve(units.problem)
      },
    }
  }, [patch, invalidate])
}

function CategoryFilter({ value, onChange }: { value: string; onChange: (category: string) => void }) {
  const { data } = useQuery(CategoriesDocument)
  const categories = data?.categories ?? []
  return (
    <Small>
      <BareSelect aria-label="Category" value={value} onChange={event => onChange(event.target.value)}>
        <option value="">All categories</option>
        {value && !categories.includes(value) && <option>{value}</option>}
        {categories.map(category => (
          <option key={category}>{category}</option>
        ))}
      </BareSelect>
    </Small>
  )
}

function AddProduct() {
  const [asking, setAsking] = useState(false)
  const [create, { loading }] = useShopMutation(CreateProductDocument)
  const navigate = useNavigate()
  const invalidate = useInvalidate()

  async function confirm() {
    const payload = await create({})
    setAsking(false)
    if (!payload?.product) return
    invalidate('productStats', 'categories', 'auditLog')
    void navigate(paths.adminProduct(payload.product.id))
  }

  return (
    <>
      <Button size="sm" icon={<PlusIcon size={18} />} onClick={() => setAsking(true)}>
        Add Product
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Add a product?"
        message="This makes a draft with placeholder text and opens it for you to fill in. Shoppers do not see it until you save it."
        confirmLabel="Add Product"
        variant="primary"
        loading={loading}
        onConfirm={() => void confirm()}
      />
    </>
  )
}

function ExportButton({ filter, total }: { filter: AdminProductFilter; total: number | undefined }) {
  const client = useApolloClient()
  const [loading, setLoading] = useState(false)

  async function download() {
    setLoading(true)
    try {
      const { data } = await client.query({
        query: ExportProductsDocument,
        variables: { filter },
        fetchPolicy: 'no-cache',
      })
      if (!data) throw new Error(FALLBACK_MESSAGE)
      saveFile(
        new Blob([data.exportProducts], { type: 'text/csv' }),
        `products-${new Date().toISOString().slice(0, 10)}.csv`,
      )
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
      title={
        total === undefined
          ? undefined
          : `${total.toLocaleString('en-US')} ${total === 1 ? 'product' : 'products'}, as filtered below`
      }
    >
      Export CSV
    </Button>
  )
}

const Named = styled.span`
  display: flex;
  align-items: center;
  gap: ${space[3]};
  min-width: 12rem;
  font-size: ${size.sm};
  ${below.largeText} {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  > span {
    min-width: 0;
  }
  a {
    text-decoration: none;
    &:hover {
      text-decoration: underline;
    }
  }
  small {
    display: block;
    font-size: ${size.xs};
    color: ${color.textQuiet};
  }
`
const Thumb = styled(Picture)`
  flex: none;
  width: 2.5rem;
`
const Content = styled.span`
  font-size: ${size.xs};
  color: ${color.textQuiet};
`
const Small = styled.div`
  min-width: 10rem;
  select {
    min-height: ${control.sm};
    padding-block: ${space[1]};
    font-size: ${size.sm};
  }
  ${below.tablet} {
    select {
      min-height: ${control.md};
    }
  }
`
