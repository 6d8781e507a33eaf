import { Money } from '../ui/Money.tsx'

/** "$4.00 more", "$2.50 less", "at the same price". */
export function CostDifference({ cents }: { cents: number }) {
  if (cents === 0) return 'at the same price'
  return (
    <>
      <Money cents={Math.abs(cents)} /> {cents > 0 ? 'more' : 'less'}
    </>
  )
}
