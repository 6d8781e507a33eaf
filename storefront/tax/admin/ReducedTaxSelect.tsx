import type { ComponentProps } from 'react'
import { labelOf } from '#schema/rules/product-fields'
import { Select } from '../../ui/Select.tsx'
import { useReducedRates } from './use-reduced-rates.ts'

/** Whether something is taxed less. Nothing where no place does so. */
export function ReducedTaxSelect(select: Omit<ComponentProps<typeof Select>, 'label' | 'hint' | 'children'>) {
  const rates = useReducedRates()
  if (rates === null) return null
  return (
    <Select {...select} label={labelOf('reducedTax')} hint={`Where the shop has a rate for it: ${rates}.`}>
      <option>No</option>
      <option>Yes</option>
    </Select>
  )
}
