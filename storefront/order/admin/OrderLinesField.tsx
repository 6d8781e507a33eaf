import { useQuery } from '@apollo/client/react'
import { useId, useState } from 'react'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { dyeLots } from '#schema/rules/lots'
import { ProductFinder } from '../../admin/ProductFinder.tsx'
import { Preorder } from '../../catalog/Preorder.tsx'
import { messageOf } from '../../data/errors.ts'
import { paths } from '../../paths.ts'
import { below, color, size, space } from '../../theme/tokens.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Link } from '../../ui/Link.tsx'
import { Money } from '../../ui/Money.tsx'
import { TrashIcon } from '../../ui/page-icons.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { QuantityStepper } from '../../ui/QuantityStepper.tsx'
import { FindOrderableDocument, type OrderableFragment, type QuotedOrderLineFragment } from './NewOrder.gql.ts'
import type { NewLine } from './use-new-order.ts'

interface OrderLinesFieldProps {
  lines: readonly NewLine[]
  onChange: (lines: readonly NewLine[]) => void
  /** What the shop says of the lines as they are. */
  quoted: readonly QuotedOrderLineFragment[]
  error: string | null
}

/** What a customer orders: found by name, counted, and taken out. */
export function OrderLinesField({ lines, onChange, quoted, error }: OrderLinesFieldProps) {
  const problemId = useId()
  return (
    <Field role="group" aria-labelledby={`${problemId}-label`} aria-describedby={error ? problemId : undefined}>
      <h2 id={`${problemId}-label`}>Items</h2>
      {lines.length > 0 && (
        <ul>
          {lines.map(line => (
            <Line
              key={line.product.id}
              line={line}
              quote={quoted.find(({ productId }) => productId === line.product.id)}
              onCount={quantity => onChange(lines.map(each => (each === line ? { ...line, quantity } : each)))}
              onRemove={() => onChange(lines.filter(each => each !== line))}
            />
          ))}
        </ul>
      )}
      {error && <Problem id={problemId}>{error}</Problem>}
      {lines.length < limits.linesPerOrder && (
        <AddLine there={lines} onAdd={product => onChange([...lines, { product, quantity: 1 }])} />
      )}
    </Field>
  )
}

interface LineProps {
  line: NewLine
  quote: QuotedOrderLineFragment | undefined
  onCount: (quantity: number) => void
  onRemove: () => void
}

function Line({ line: { product, quantity }, quote, onCount, onRemove }: LineProps) {
  const { id, name, image, price, countInStock, expectedOn, isDownload, isGiftCard } = quote?.product ?? product
  const left = quote && !quote.product ? 0 : countInStock
  return (
    <li>
      <Picture src={image} alt="" sizes="3rem" />
      <div>
        <Link to={paths.product(id, name)}>{name}</Link>
        <small>
          <Money cents={price} /> each,{' '}
          {isGiftCard ? 'sent by email' : isDownload ? 'to download' : `${countInStock.toLocaleString('en-US')} left`}
        </small>
        {expectedOn !== null && (
          <small>
            <Preorder expectedOn={expectedOn} />
          </small>
        )}
        {quote?.mustAgreeToLots && <small>{dyeLots(quote.lots)}. Please tell the customer.</small>}
        {left < quantity && (
          <Problem id={`short-${id}`}>
            {left > 0 ? `Only ${left.toLocaleString('en-US')} of them are left.` : 'It cannot be ordered any more.'}
          </Problem>
        )}
      </div>
      <Count>
        <QuantityStepper
          label={`Quantity of ${name}`}
          value={quantity}
          max={Math.max(countInStock, quantity)}
          onChange={onCount}
        />
        <IconButton size="sm" label={`Remove ${name}`} onClick={onRemove}>
          <TrashIcon size={16} />
        </IconButton>
      </Count>
    </li>
  )
}

function AddLine({ there, onAdd }: { there: readonly NewLine[]; onAdd: (product: OrderableFragment) => void }) {
  const [keyword, setKeyword] = useState('')
  const { data, error, loading } = useQuery(FindOrderableDocument, { variables: { keyword } })
  const found = (data?.products.items ?? []).filter(
    ({ id, countInStock }) => countInStock > 0 && !there.some(line => line.product.id === id),
  )
  return (
    <ProductFinder
      added={there.length}
      found={found}
      searching={loading}
      failure={error ? messageOf(error) : null}
      onSearch={setKeyword}
      onAdd={onAdd}
    />
  )
}

const Field = styled.div`
  display: grid;
  gap: ${space[3]};
  ul {
    display: grid;
    padding: 0;
    list-style: none;
  }
  li {
    display: flex;
    align-items: center;
    gap: ${space[3]};
    padding-block: ${space[3]};
    border-bottom: 1px solid ${color.line};
    ${below.tablet} {
      flex-wrap: wrap;
    }
  }
  li > picture {
    flex: none;
    width: 3rem;
  }
  li > div {
    display: grid;
    flex: 1 1 12rem;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  small {
    font-size: ${size.sm};
    color: ${color.textQuiet};
  }
`
const Count = styled.span`
  display: flex;
  align-items: center;
  gap: ${space[2]};
  margin-left: auto;
`
