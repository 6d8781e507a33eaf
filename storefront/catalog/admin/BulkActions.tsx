import { useQuery } from '@apollo/client/react'
import { useId, useState } from 'react'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { currencyName } from '#schema/rules/currency'
import { basisPoints, formatCents, readAmount } from '#schema/rules/money'
import { readUnits } from '#schema/rules/stock'
import { AddToCollection } from '../../collection/admin/AddToCollection.tsx'
import { Became } from '../../audit/admin/AuditEntries.tsx'
import { color, from, size, space } from '../../theme/tokens.ts'
import { TaxDialog } from '../../tax/admin/TaxDialog.tsx'
import { useReducedRates } from '../../tax/admin/use-reduced-rates.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/Select.tsx'
import { SelectionBar } from '../../ui/SelectionBar.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { BulkDialog, countOf, type DialogProps, type Selected } from './BulkDialog.tsx'
import { listPriceOf } from './product-values.ts'
import { CategoriesDocument } from './Products.gql.ts'

type Kind = 'price' | 'stock' | 'category' | 'tax' | 'collection' | 'archive'

/** What can be done with several products at once. */
export function BulkActions({ selected, onSelect }: { selected: Selected; onSelect: (rows: Selected) => void }) {
  const [kind, setKind] = useState<Kind | null>(null)
  const [open, setOpen] = useState(false)
  const show = (next: Kind) => {
    setKind(next)
    setOpen(true)
  }
  const isTaxedLess = useReducedRates() !== null
  const shared = { selected, onSelect, open, onClose: () => setOpen(false) }
  return (
    <>
      <SelectionBar count={selected.size} noun="product" onClear={() => onSelect(new Map())}>
        <Button size="sm" variant="quiet" onClick={() => show('price')}>
          Change price
        </Button>
        <Button size="sm" variant="quiet" onClick={() => show('stock')}>
          Set stock
        </Button>
        <Button size="sm" variant="quiet" onClick={() => show('category')}>
          Category
        </Button>
        {isTaxedLess && (
          <Button size="sm" variant="quiet" onClick={() => show('tax')}>
            Tax
          </Button>
        )}
        <Button size="sm" variant="quiet" onClick={() => show('collection')}>
          Add to collection
        </Button>
        <Button size="sm" variant="danger" onClick={() => show('archive')}>
          Archive
        </Button>
      </SelectionBar>
      {kind === 'price' && <PriceDialog {...shared} />}
      {kind === 'stock' && <StockDialog {...shared} />}
      {kind === 'category' && <CategoryDialog {...shared} />}
      {kind === 'tax' && <TaxDialog {...shared} />}
      {kind === 'collection' && (
        <AddToCollection
          productIds={[...selected.keys()]}
          open={open}
          onClose={shared.onClose}
          onAdded={() => onSelect(new Map())}
        />
      )}
      {kind === 'archive' && <ArchiveDialog {...shared} />}
    </>
  )
}

function PriceDialog(props: DialogProps) {
  const [direction, setDirection] = useState<'raise' | 'lower'>('raise')
  const [unit, setUnit] = useState<'percent' | 'amount'>('percent')
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const count = countOf(props.selected.size)

  // Both units have two decimals: cents of a dollar, hundredths of a percent.
  const figure = readAmount(typed.replace('%', ''))
  const signed = figure !== null && figure > 0 ? (direction === 'raise' ? figure : -figure) : null
  const change =
    signed === null
      ? unit === 'percent'
        ? 'Please enter a percentage such as 10.'
        : 'Please enter an amount such as 1.50.'
      : unit === 'percent'
        ? { priceByBasisPoints: signed }
        : { priceByCents: signed }
  const after = (price: number, by: number) => price + (unit === 'percent' ? basisPoints(price, by) : by)
  const examples = [...props.selected.values()].slice(0, 4)

  return (
    <BulkDialog
      {...props}
      title={`Change ${count.replace('1 product', 'the price of 1 product').replace(/^(\d+ products)$/, 'the prices of $1')}`}
      confirm="Change prices"
      change={change}
      onProblem={setProblem}
      done={changed => `Prices changed: ${changed}.`}
    >
      <Three>
        <Select
          label="Direction"
          value={direction}
          onChange={event => setDirection(event.target.value as typeof direction)}
        >
          <option value="raise">Raise by</option>
          <option value="lower">Lower by</option>
        </Select>
        <TextField
          label={unit === 'percent' ? 'Percentage' : 'Amount'}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={event => {
            setTyped(event.target.value)
            setProblem(null)
          }}
          error={problem}
        />
        <Select label="Unit" value={unit} onChange={event => setUnit(event.target.value as typeof unit)}>
          <option value="percent">percent</option>
          <option value="amount">{currencyName()}</option>
        </Select>
      </Three>
      {signed !== null && (
        <Preview aria-label="What will change">
          {examples.map(product => (
            <li key={product.id}>
              <span>{product.name}</span>
              <span>
                <del>{formatCents(listPriceOf(product))}</del> <Became />{' '}
                {formatCents(after(listPriceOf(product), signed))}
              </span>
            </li>
          ))}
          {props.selected.size > examples.length && <li>and {props.selected.size - examples.length} more</li>}
        </Preview>
      )}
    </BulkDialog>
  )
}

function StockDialog(props: DialogProps) {
  const [mode, setMode] = useState<'to' | 'add' | 'take'>('to')
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const count = countOf(props.selected.size)
  const units = readUnits(typed)
  const change =
    units === null
      ? 'Please enter a whole number, 0 or more.'
      : mode === 'to'
        ? { stockTo: units }
        : { stockBy: mode === 'add' ? units : -units }
  return (
    <BulkDialog
      {...props}
      title={`Stock of ${count}`}
      confirm="Change stock"
      change={change}
      onProblem={setProblem}
      done={changed => `Stock changed: ${changed}.`}
    >
      <Two>
        <Select label="Change" value={mode} onChange={event => setMode(event.target.value as typeof mode)}>
          <option value="to">Set to</option>
          <option value="add">Add</option>
          <option value="take">Take away</option>
        </Select>
        <TextField
          label="Units"
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={event => {
            setTyped(event.target.value)
            setProblem(null)
          }}
          error={problem}
        />
      </Two>
    </BulkDialog>
  )
}

function CategoryDialog(props: DialogProps) {
  const listId = useId()
  const { data } = useQuery(CategoriesDocument)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const category = typed.trim()
  return (
    <BulkDialog
      {...props}
      title={`Category of ${countOf(props.selected.size)}`}
      confirm="Change category"
      change={category ? { category } : 'Please enter a category.'}
      onProblem={setProblem}
      done={changed => `Category changed: ${changed}.`}
    >
      <TextField
        label="Category"
        list={listId}
        autoComplete="off"
        maxLength={limits.productText}
        value={typed}
        onChange={event => {
          setTyped(event.target.value)
          setProblem(null)
        }}
        hint="Choose one or type a new one."
        error={problem}
      />
      <datalist id={listId}>
        {data?.categories.map(name => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </BulkDialog>
  )
}

function ArchiveDialog(props: DialogProps) {
  const count = countOf(props.selected.size)
  return (
    <BulkDialog
      {...props}
      title={`Archive ${count}?`}
      description="They leave the shop for good. Orders keep their own copy of what was sold. This action cannot be undone."
      confirm="Archive"
      variant="danger"
      change={{ archive: true }}
      done={changed => `${changed} archived.`}
    />
  )
}

const Two = styled.div`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: ${space[3]};
  align-items: start;
`
const Three = styled(Two)`
  ${from.tablet} {
    grid-template-columns: 1fr 1fr 1fr;
  }
`
const Preview = styled.ul`
  display: grid;
  gap: ${space[1]};
  padding: 0;
  list-style: none;
  font-size: ${size.sm};
  li {
    display: flex;
    justify-content: space-between;
    gap: ${space[4]};
    color: ${color.textQuiet};
  }
  span:first-child {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  span:last-child {
    color: ${color.text};
    font-variant-numeric: lining-nums tabular-nums;
    white-space: nowrap;
  }
  del {
    color: ${color.textQuiet};
  }
`
