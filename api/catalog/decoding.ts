import sharp from 'sharp'
import { limitConcurrency } from '../kernel/limiter.ts'

// Each is worked on by one thread, and no two have the same bytes: what was made on the way is of no use to the next.
sharp.concurrency(1)
sharp.cache(false)

/**
 * Pictures this process works on, weighed by their pixels: one of the largest, or a page full of small ones. The memory
 * they take and the threads they keep busy are the same ones that everything else needs.
 */
export const decoding = limitConcurrency({ atOnce: 60_000_000, waiting: 500_000_000, retryAfter: 5 })
