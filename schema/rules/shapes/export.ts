import { z } from 'zod'
import { ownerLimits } from '../owner-limits.ts'
import { requiredText } from './text.ts'

/** What is to be exported. Only the server knows which queries there are. */
export const exportQuery = z.object({ query: requiredText('Query', ownerLimits.exportQuery) })
