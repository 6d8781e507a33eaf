import { useState } from 'react'
import { styled } from 'styled-components'
import { ownerLimits } from '#schema/rules/owner-limits'
import { lotCounts } from '#schema/rules/shapes/product'
import { readUnits } from '#schema/rules/stock'
import { useUnsavedWork } from '../../account/interruption.ts'
import { Panel } from '../../admin/AdminList.tsx'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { color, size, space } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { TrashIcon } from '../../ui/page-icons.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/toast.ts'
import { CountLotsDocument, type EditedProductFragment } from './ProductEdit.gql.ts'

interface LotsPanelProps {
  product: Pick<EditedProductFragment, 'id' | 'countInStock' | 'keptByLot' | 'lots'>
  /** The version of the product that is being edited. */
  version: number
  onSaved: (product: EditedProductFragment) => void
}

interface Row {
  code: string
  /** As it is typed. */
  quantity: string
}

const rowsOf = ({ lots }: Pick<EditedProductFragment, 'lots'>): Row[] =>
  lots.map(({ code, quantity }) => ({ code, quantity: String(quantity) }))

/** Whether the stock is kept by dye lot, and how many units each lot has. Saved separately from the product. */
export function LotsPanel({ product, version, onSaved }: LotsPanelProps) {
  const [seen, setSeen] = useState(product.lots)
  const [keptByLot, setKeptByLot] = useState(product.keptByLot)
  const [rows, setRows] = useState(rowsOf(product))
  const [problem, setProblem] = useState<string | null>(null)
  const [update, { loading }] = useShopMutation(CountLotsDocument)
  if (JSON.stringify(seen) !== JSON.stringify(product.lots)) {
    // After a save or a sale, the form starts from the new data.
    setSeen(product.lots)
    setRows(rowsOf(product))
    setKeptByLot(product.keptByLot)
  }
  const isDirty = keptByLot !== product.keptByLot || JSON.stringify(rows) !== JSON.stringify(rowsOf(product))
  useUnsavedWork(isDirty)
  const total = rows.reduce((sum, { quantity }) => sum + (readUnits(quantity) ?? 0), 0)

  function keep(kept: boolean) {
    setKeptByLot(kept)
    if (kept && rows.length === 0) setRows([{ code: '', quantity: String(product.countInStock) }])
  }
  const change = (place: number, row: Partial<Row>) =>
    setRows(rows.map((other, index) => (index === place ? { ...other, ...row } : other)))

  async function save() {
    setProblem(null)
    const input = keptByLot ? lotsInput() : { keptByLot: false }
    if (!input) return
    const payload = await update(
      { id: product.id, input: { ...input, version } },
      { onRefused: ({ userErrors }) => setProblem(userErrors[0]?.message ?? null) },
    )
    if (!payload?.product) return
    onSaved(payload.product)
    notify.success(keptByLot ? 'Dye lots updated successfully.' : 'Stock is no longer kept by dye lot.')
  }

  /** The counted lots; a lot that was taken off the list is sent with 0 units. */
  function lotsInput() {
    const counted = rows.map(({ code, quantity }) => ({ code, quantity: readUnits(quantity) }))
    if (counted.some(({ quantity }) => quantity === null))
      return void setProblem('Please enter a whole number of units, 0 or more.')
    const { data, error } = lotCounts.safeParse(counted)
    if (error) return void setProblem(error.issues[0]?.message ?? null)
    const gone = product.lots.filter(({ code }) => !data.some(lot => lot.code === code))
    const lots = [...data, ...gone.map(({ code }) => ({ code, quantity: 0 }))].map(lot => ({
      ...lot,
      seen: product.lots.find(({ code }) => code === lot.code)?.quantity ?? null,
    }))
    return { lots, countInStockSeen: product.countInStock }
  }

  return (
    <Panel aria-labelledby="lots">
      <h2 id="lots">Dye lots</h2>
      <Checkbox label="Keep stock by dye lot" checked={keptByLot} onChange={event => keep(event.target.checked)} />
      {keptByLot && (
        <>
          <Lots>
            {rows.map(({ code, quantity }, place) => (
              // While rows are being typed, only their place identifies them.
              // oxlint-disable-next-line react/no-array-index-key -- see above
              <li key={place}>
                <TextField
                  label={`Lot ${place + 1}`}
                  maxLength={ownerLimits.lot.code}
                  autoComplete="off"
                  value={code}
                  onChange={event => change(place, { code: event.target.value })}
                />
                <TextField
                  label={`Units of lot ${place + 1}`}
                  inputMode="numeric"
                  autoComplete="off"
                  value={quantity}
                  onChange={event => change(place, { quantity: event.target.value })}
                />
                <IconButton label={`Remove lot ${code || place + 1}`} onClick={() => setRows(rows.toSpliced(place, 1))}>
                  <TrashIcon size={20} />
                </IconButton>
              </li>
            ))}
          </Lots>
          <Total>{total.toLocaleString('en-US')} in stock. Units sold while you edit stay sold.</Total>
        </>
      )}
      {problem && <Problem id="lots-problem">{problem}</Problem>}
      <Cluster>
        {keptByLot && (
          <Button variant="quiet" size="sm" onClick={() => setRows([...rows, { code: '', quantity: '' }])}>
            Add a lot
          </Button>
        )}
        <Button size="sm" disabled={!isDirty} loading={loading} onClick={() => void save()}>
          Update lots
        </Button>
      </Cluster>
    </Panel>
  )
}

const Lots = styled.ul`
  display: grid;
  gap: ${space[3]};
  padding: 0;
  list-style: none;
  li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 7rem auto;
    gap: ${space[2]};
    align-items: end;
  }
`
const Total = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
