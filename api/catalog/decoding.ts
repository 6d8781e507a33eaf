import { limitConcurrency } from '../kernel/limiter.ts'

/**
 * Pictures this process works on, weighed by their pixels: one of the largest, or a page full of small ones. The memory
 * they take and the threads they keep busy are the same ones that everything else needs.
 */
export const decoding = limitConcurrency({ atOnce: 60_000_000, waiting: 500_000_000, retryAfter: 5 })
