import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { styled } from 'styled-components'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { color, measure, size, space } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { formatMoment } from '../../ui/dates.ts'
import { UndoIcon } from '../../ui/admin-icons.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { notify } from '../../ui/toast.ts'
import {
  ApplyImportDocument,
  ImportProgressDocument,
  type ImportStateFragment,
  UndoImportDocument,
} from './ProductImport.gql.ts'

/** What has become of an import, and what can be done with it. */
export function Verdict({ state }: { state: ImportStateFragment }) {
  const [asking, setAsking] = useState<'apply' | 'undo' | null>(null)
  const [apply, applying] = useShopMutation(ApplyImportDocument)
  const [undo, undoing] = useShopMutation(UndoImportDocument)
  const invalidate = useInvalidate()
  const running = applying.loading || undoing.loading || state.status === 'APPLYING' || state.status === 'UNDOING'
  useQuery(ImportProgressDocument, {
    variables: { id: state.id },
    skip: !running,
    pollInterval: 700,
    fetchPolicy: 'network-only',
  })
  const rows = state.creates + state.updates

  async function run(what: 'apply' | 'undo') {
    setAsking(null)
    const payload = what === 'apply' ? await apply({ id: state.id }) : await undo({ id: state.id })
    if (!payload) return
    invalidate(
      'adminProducts',
      'product',
      'products',
      'productStats',
      'categories',
      'productImport',
      'productImports',
      'auditLog',
    )
    notify.success(what === 'apply' ? `Import applied: ${products(rows)}.` : 'Import undone.')
  }

  return (
    <>
      {running ? (
        <Narrow>
          <ProgressBar
            label={undoing.loading || state.status === 'UNDOING' ? 'Undoing the import' : 'Applying the import'}
            value={rows > 0 ? state.appliedRows / rows : undefined}
          />
          <Quiet>
            {state.appliedRows.toLocaleString('en-US')} of {rows.toLocaleString('en-US')} rows
          </Quiet>
        </Narrow>
      ) : (
        <Standing state={state} rows={rows} onAsk={setAsking} />
      )}
      <ConfirmDialog
        open={asking === 'apply'}
        onOpenChange={open => !open && setAsking(null)}
        title="Apply this import?"
        message={`${products(state.creates)} will be made and ${products(state.updates)} changed, all at once. You can undo it until you apply another import.`}
        confirmLabel="Apply import"
        variant="primary"
        onConfirm={() => void run('apply')}
      />
      <ConfirmDialog
        open={asking === 'undo'}
        onOpenChange={open => !open && setAsking(null)}
        title="Undo this import?"
        message="Changed products return to what they were, and new ones leave the shop. If somebody changed one of them since, nothing is touched and you are told."
        confirmLabel="Undo import"
        onConfirm={() => void run('undo')}
      />
    </>
  )
}

const products = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'product' : 'products'}`

/** The state of an import that is not being worked on at the moment. */
function Standing({
  state,
  rows,
  onAsk,
}: {
  state: ImportStateFragment
  /** How many rows would change a product. */
  rows: number
  onAsk: (what: 'apply' | 'undo') => void
}) {
  return (
    <>
      {state.status === 'READY' && (
        <Cluster $gap={4}>
          <Button
            onClick={() => onAsk('apply')}
            disabledReason={rows === 0 ? 'There is nothing in this file to apply.' : null}
          >
            Apply import
          </Button>
          <p>
            {rows === 0 ? (
              'Nothing in this file would change a product.'
            ) : (
              <>
                Nothing has changed yet. Applying makes {products(state.creates)} and changes {products(state.updates)}
                {state.refused > 0 && (
                  <>
                    ; {state.refused.toLocaleString('en-US')} refused {state.refused === 1 ? 'row is' : 'rows are'} left
                    out
                  </>
                )}
                .
              </>
            )}
          </p>
        </Cluster>
      )}
      {state.status === 'APPLIED' && (
        <Notice
          variant="success"
          action={
            state.canUndo && (
              <Button size="sm" variant="quiet" icon={<UndoIcon size={18} />} onClick={() => onAsk('undo')}>
                Undo import
              </Button>
            )
          }
        >
          Applied{state.appliedAt && ` on ${formatMoment(state.appliedAt)}`}: {products(state.creates)} made,{' '}
          {products(state.updates)} changed.
          {!state.canUndo && ' A later import was applied, so this one cannot be undone any more.'}
        </Notice>
      )}
      {state.status === 'UNDONE' && (
        <Notice>
          Undone{state.undoneAt && ` on ${formatMoment(state.undoneAt)}`}. The products are as they were before.
        </Notice>
      )}
    </>
  )
}

const Quiet = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
  font-variant-numeric: tabular-nums;
`
const Narrow = styled.div`
  display: grid;
  gap: ${space[1]};
  max-width: ${measure.narrow};
`
