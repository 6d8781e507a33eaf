import { z } from 'zod'
import { limits } from '../limits.ts'
import { requiredText } from './text.ts'

/** What is to be exported. Only the server knows which queries there are. */
export const exportQuery = z.object({ query: requiredText('Query', limits.exportQuery) })
