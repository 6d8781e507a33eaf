import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { may } from '../../account/may.ts'
import { useSession } from '../../account/session.ts'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { linkTo, ListFoot, ListResult, Toolbar } from '../../admin/AdminList.tsx'
import type { AdminProductFilter } from '../../generated/types.ts'
import { oneOf, sortOf, useListState } from '../../data/list-state.ts'
import { paths } from '../../paths.ts'
import { below, control, size, space } from '../../theme/tokens.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { Link } from '../../ui/Link.tsx'
import { UploadIcon } from '../../ui/admin-icons.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { BareSelect } from '../../ui/Select.tsx'
import { SummaryCards } from '../../ui/SummaryCard.tsx'
import { BulkActions } from './BulkActions.tsx'
import { DeleteProduct } from './DeleteProduct.tsx'
import { useColumns } from './product-columns.tsx'
import { AddProduct, ExportButton } from './ProductListActions.tsx'
import {
  type AdminProductFragment,
  AdminProductsDocument,
  CategoriesDocument,
  ProductStatsDocument,
  type ProductStatsQuery,
} from './Products.gql.ts'

const STOCK = ['IN_STOCK', 'LOW', 'OUT', 'EXPECTED'] as const
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
  const stats = useProductStats()
  const counts = isFiltered && !(stock || draft) ? undefined : stats.data?.productStats
  const [selected, setSelected] = useState<ReadonlyMap<string, AdminProductFragment>>(new Map())
  const [leaving, setLeaving] = useState<AdminProductFragment | null>(null)
  const columns = useColumns(setLeaving)

  return (
    <AdminPage title="Products" actions={<Actions filter={filter} total={products?.total} />}>
      <Summary stats={stats} />
      <Toolbar>
        <StockChips
          current={draft ? 'draft' : (stock ?? '')}
          counts={counts}
          to={key => list.to({ status: key.toLowerCase().replaceAll('_', '-') })}
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

/** What leads on from the list, and what is done with all of it. */
function Actions({ filter, total }: { filter: AdminProductFilter; total: number | undefined }) {
  const session = useSession()
  return (
    <>
      <LinkButton as={Link} to={paths.adminCollections()} $variant="quiet" $size="sm">
        Collections
      </LinkButton>
      {may(session, 'IMPORT_PRODUCTS') && (
        <>
          <ExportButton filter={filter} total={total} />
          <LinkButton as={Link} to={paths.adminImport()} $variant="quiet" $size="sm">
            <UploadIcon size={18} />
            Import CSV
          </LinkButton>
        </>
      )}
      <AddProduct />
    </>
  )
}

const useProductStats = () => useQuery(ProductStatsDocument)

function Summary({ stats: { data, error, refetch } }: { stats: ReturnType<typeof useProductStats> }) {
  return (
    <SummaryCards
      label="Products at a glance"
      error={error && !data ? 'Yarn it! Failed to fetch a preview of all products.' : null}
      onRetry={() => void refetch()}
      figures={[
        { label: 'Total Products', value: data?.productStats.totalProducts.toLocaleString('en-US') },
        { label: 'Low Count', value: data?.productStats.lowStockCount.toLocaleString('en-US') },
        { label: 'Out of Stock', value: data?.productStats.outOfStockCount.toLocaleString('en-US') },
      ]}
    />
  )
}

interface StockChipsProps {
  current: string
  /** Left out where the counts cover other products than the list does. */
  counts: ProductStatsQuery['productStats'] | undefined
  to: (key: string) => string
}

function StockChips({ current, counts, to }: StockChipsProps) {
  return (
    <FilterChips
      label="Stock"
      current={current}
      chips={[
        { key: '', label: 'All', count: counts?.totalProducts },
        {
          key: 'IN_STOCK',
          label: 'In Stock',
          count: counts && counts.totalProducts - counts.lowStockCount - counts.outOfStockCount,
        },
        { key: 'LOW', label: 'Low Stock', count: counts?.lowStockCount },
        { key: 'OUT', label: 'Out of Stock', count: counts?.outOfStockCount, urgent: true },
        { key: 'EXPECTED', label: 'Pre-order' },
        { key: 'draft', label: 'Drafts' },
      ]}
      link={linkTo(to)}
    />
  )
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
