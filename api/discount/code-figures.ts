import type { DiscountFigures } from '../generated/types.ts'
import type { Load } from '../query/batch.ts'
import { present } from '#schema/rules/present'
import { tallied } from '../query/tallies.ts'

interface CodeFigures extends DiscountFigures {
  /** Uses that are not given back: what `maxUses` limits. */
  taken: number
}

const FIGURES = ['TAKEN', 'USES', 'PAID', 'REVENUE', 'GIVEN'] as const

/** What became of each code. An order that was paid counts, even if its use had been given back before the money came. */
export const figuresOf: Load<string, CodeFigures> = async (em, codeIds) => {
  const tally = await tallied(
    em,
    codeIds.flatMap(id => FIGURES.map(figure => `CODE ${figure} ${id}`)),
  )
  return codeIds.map(id => {
    const of = (figure: (typeof FIGURES)[number]) => present(tally[`CODE ${figure} ${id}`])
    return {
      taken: of('TAKEN'),
      uses: of('USES'),
      paidOrders: of('PAID'),
      revenue: of('REVENUE'),
      discountGiven: of('GIVEN'),
    }
  })
}

/** SQL for how many uses of a code are not given back; `id` is trusted SQL. */
export const takenOf = (id: string): string =>
  `(select coalesce(sum(value), 0) from (select * from tallies union all select * from tally_changes) t where name = 'CODE TAKEN ' || ${id})`
