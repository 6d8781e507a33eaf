import { z } from 'zod'
import { ownerLimits } from '../owner-limits.ts'
import { requiredText } from './text.ts'

/** What an administrator calls a file that comes with a product. */
export const download = z.object({ title: requiredText('Title', ownerLimits.download.title) })
