import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import type { typedReview } from '#schema/rules/shapes/review'

/** The shape that checks a review as it is typed. */
export const reviewShape = async () => (await import('#schema/rules/shapes/review')).typedReview

type Typed = z.input<typeof typedReview>
export type ReviewInput = z.output<typeof typedReview>
export type ReviewForm = UseFormReturn<Typed, unknown, ReviewInput>

/** Rating 0: no star is chosen. */
export const BLANK: Typed = { rating: 0, comment: '', needle: '', gauge: '', project: '', pictures: [] }
