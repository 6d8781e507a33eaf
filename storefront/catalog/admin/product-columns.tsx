import { useMemo } from 'react'
import { styled } from 'styled-components'
import { toDecimal, formatCents } from '#schema/rules/money'
import { RowActions, ShortId } from '../../admin/rows.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { FALLBACK_MESSAGE, messageOf } from '../../data/errors.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { paths } from '../../paths.ts'
import { color, size, space } from '../../theme/tokens.ts'
import { notify } from '../../ui/toast.ts'
import type { Column } from '../../ui/table-column.ts'
import { InlineEdit } from '../../ui/InlineEdit.tsx'
import { Link } from '../../ui/Link.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { Price } from '../../ui/Price.tsx'
import { type AdminProductFragment, PatchProductDocument } from './Products.gql.ts'
import { listPriceOf, readAs, typedPrice, typedUnits } from './product-values.ts'
import { StockBadge } from './StockBadge.tsx'

/** The columns of the list of products; stock and price are changed where they stand. */
export function useColumns(onDelete: (product: AdminProductFragment) => void): Column<AdminProductFragment>[] {
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
        cell: product =>
          product.isDownload ? null : (
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

/** Saves one cell. Returns what is wrong, or null. */
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
              const now = 'price' in input ? formatCents(listPriceOf(saved)) : `${saved.countInStock} in stock`
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

const Named = styled.span`
  display: flex;
  align-items: center;
  gap: ${space[3]};
  min-width: min(12rem, 60vw);
  font-size: ${size.sm};
  overflow-wrap: anywhere;
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
