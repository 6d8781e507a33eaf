import { sizesOf } from '#schema/rules/garments'
import { explainSkeins, LEAST_STITCHES, MOST_METRES, MOST_STITCHES, skeinsFor, type Skeins } from '#schema/rules/skeins'
import { metresOfYards } from '#schema/rules/facts/units'
import type { Project, Units } from '../generated/types.ts'
import { refuse } from '../kernel/errors.ts'
import type { Product } from './product.entity.ts'

export interface SkeinEstimate extends Skeins {
  yarn: Product
  price: number
  explanation: string
  isInStock: boolean
}

/** How many units of a yarn a project takes. Null when its facts do not tell. */
export function countSkeins(yarn: Product, project: Project, units: Units): SkeinEstimate | null {
  const { metres, yards, garment } = project
  const length = metres ?? (yards == null ? null : metresOfYards(yards))
  if (length !== null && !(length > 0 && length <= MOST_METRES))
    throw refuse('INVALID', `Please give more than 0 and at most ${MOST_METRES.toLocaleString('en-US')} metres.`, {
      field: ['project', metres == null ? 'yards' : 'metres'],
    })
  const stitches = garment?.stitches
  if (stitches != null && (stitches < LEAST_STITCHES || stitches > MOST_STITCHES))
    throw refuse('INVALID', `Please give ${LEAST_STITCHES} to ${MOST_STITCHES} stitches in 10 cm.`, {
      field: ['project', 'garment', 'stitches'],
    })
  if (garment && !sizesOf(garment.garment).includes(garment.size))
    throw refuse('INVALID', 'This garment is not made in that size.', { field: ['project', 'garment', 'size'] })
  const needed = skeinsFor(project, yarn.facts)
  if (!needed) return null
  return {
    ...needed,
    yarn,
    price: needed.skeins * yarn.price,
    explanation: explainSkeins(project, needed, units),
    isInStock: needed.skeins <= yarn.countInStock,
  }
}
