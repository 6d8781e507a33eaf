import { useState } from 'react'
import { BulkDialog, countOf, type DialogProps } from '../../catalog/admin/BulkDialog.tsx'
import { ReducedTaxSelect } from './ReducedTaxSelect.tsx'

/** Says of several products whether they are taxed less. */
export function TaxDialog(props: DialogProps) {
  const [reduced, setReduced] = useState('Yes')
  return (
    <BulkDialog
      {...props}
      title={`Tax of ${countOf(props.selected.size)}`}
      confirm="Change tax"
      change={{ reducedTax: reduced === 'Yes' }}
      done={changed => `Tax changed: ${changed}.`}
    >
      <ReducedTaxSelect value={reduced} onChange={event => setReduced(event.target.value)} />
    </BulkDialog>
  )
}
